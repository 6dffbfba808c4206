import { useEffect, useRef } from 'preact/hooks';
import type { Snapshot } from '../snapshot.js';

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
  }, [svg, apps]);
  return <div ref={place} dangerouslySetInnerHTML={{ __html: svg }} />;
}
