import { useEffect, useRef } from 'preact/hooks';
import type { Snapshot } from '../console-data.js';

declare global {
  /** Makes a picture answer; from picture.js, which pictures in files have in them. */
  function castellanPicture(element: Element): void;
}

/**
 * A picture with the states of its apps. It was drawn by the sandbox from names that it escaped.
 */
export function Drawing({ svg, apps }: { svg: string; apps: Snapshot['apps'] }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current?.firstElementChild) castellanPicture(place.current.firstElementChild);
  }, [svg]);
  useEffect(() => {
    for (const { name, state } of apps)
      for (const node of place.current?.querySelectorAll(`.app[data-name="${name}"]`) ?? []) {
        const shown = node.getAttribute('data-state');
        if (shown !== null) node.classList.remove(shown);
        node.classList.add(state);
        node.setAttribute('data-state', state);
      }
    if (place.current !== null) nameStates(place.current, apps);
  }, [svg, apps]);
  return <div ref={place} dangerouslySetInnerHTML={{ __html: svg }} />;
}

/** Says in the legend what the colours of apps mean: each state that one of them has. */
function nameStates(picture: Element, apps: Snapshot['apps']): void {
  const [entry, ...others] = picture.querySelectorAll('.legend .app');
  if (entry === undefined || apps.length === 0) return;
  for (const other of others) other.remove();
  const states = [...new Set(apps.map(({ state }) => state))];
  entry.replaceWith(
    ...states.map((state) => {
      const item = document.createElement('li');
      item.className = `app ${state}`;
      item.textContent = `app, ${state}`;
      return item;
    }),
  );
}
