import { useEffect, useRef } from 'preact/hooks';
import type { ConsoleData } from '../console-data.js';

declare global {
  /** Makes a picture interactive: the script picture.js, which pictures in files contain. */
  function castellanPicture(element: Element): void;
}

/**
 * A picture with the states of its apps. The sandbox drew it and escaped all names in it.
 */
export function Picture({ svg, appStates }: { svg: string; appStates: ConsoleData['apps'] }) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (container.current?.firstElementChild) castellanPicture(container.current.firstElementChild);
  }, [svg]);
  useEffect(() => {
    for (const { name, state } of appStates)
      for (const node of container.current?.querySelectorAll(`.app[data-name="${name}"]`) ?? []) {
        const previous = node.getAttribute('data-state');
        if (previous !== null) node.classList.remove(previous);
        node.classList.add(state);
        node.setAttribute('data-state', state);
      }
    if (container.current !== null) explainStates(container.current, appStates);
  }, [svg, appStates]);
  return <div ref={container} dangerouslySetInnerHTML={{ __html: svg }} />;
}

/** Replaces the legend's entry for apps by one for each state that an app has, with its colour. */
function explainStates(picture: Element, apps: ConsoleData['apps']): void {
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
