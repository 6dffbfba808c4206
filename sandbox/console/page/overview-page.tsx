import type { ConsoleData } from '../console-data.js';
import { Picture } from './picture.js';
import type { StackPicture } from './state.js';

/** The stacks as pictures whose nodes are links, and the counts of objects. */
export function OverviewPage({
  consoleData,
  pictures,
}: {
  consoleData: ConsoleData;
  pictures: readonly StackPicture[] | undefined;
}) {
  const { apps, groupCount, people, items, stacks, truncatedLists } = consoleData;
  const counts = [
    ['container-apps', apps.length, 'app', 'apps'],
    ['groups', groupCount, 'group', 'groups'],
    ['people', people.length, 'person', 'people'],
    ['items', items.length, 'item', 'items'],
  ] as const;
  return (
    <>
      <h1>Overview</h1>
      <ul class="counts">
        {counts.map(([path, count, singular, plural]) => (
          <li key={path}>
            <a href={`#/${path}`}>
              <strong>{truncatedLists.some((list) => list === path) ? `${count}+` : count}</strong>{' '}
              {count === 1 ? singular : plural}
            </a>
          </li>
        ))}
      </ul>
      {stacks.length === 0 && (
        <p class="empty">
          No stack is applied to this sandbox. <code>castellan up</code> applies one.
        </p>
      )}
      {(pictures ?? []).map(({ name, svg }) => (
        <section key={name} aria-labelledby={`stack-${name}`}>
          <h2 id={`stack-${name}`}>{name}</h2>
          <p class="note">
            {stacks.find((stack) => stack.name === name)?.file}. An arrow leads from an object to
            the one that it refers to.
          </p>
          {/* The picture is drawn by the sandbox from names that it has escaped. */}
          <Picture svg={svg} appStates={apps} />
        </section>
      ))}
    </>
  );
}
