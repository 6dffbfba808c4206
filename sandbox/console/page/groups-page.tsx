import type { Member, GroupView, ConsoleData } from '../console-data.js';
import { momentOf } from './time-text.js';
import { groupsLetIn } from './sign-in-policy.js';
import { pageAddress } from './router.js';
import { sortedByName, Fact, Links, Missing, Table } from './elements.js';

/** Every group of the directory. */
export function GroupsPage({ apps, groupCount, ...consoleData }: ConsoleData) {
  const groups = sortedByName(consoleData.groups);
  return (
    <>
      <h1>Groups</h1>
      {groupCount > groups.length && (
        <p class="note">
          The first {groups.length} of {groupCount} groups; <code>castellan directory groups</code>{' '}
          lists all.
        </p>
      )}
      <Table
        caption="Groups of the directory"
        empty="The directory has no group."
        columns={['Group', 'Kind', 'Owners', 'Members', 'Membership', 'Gets into']}
        numeric={['Owners', 'Members']}
        filterTexts={groups.map(({ name, kind, rule = '' }) => `${name} ${kind} ${rule}`)}
        rows={groups.map((group) => [
          <a href={pageAddress('groups', group.id)}>{group.name}</a>,
          group.kind,
          group.owners.length,
          group.members.length,
          group.rule === undefined
            ? 'assigned'
            : `by a rule, ${group.processing === 'Paused' ? 'paused' : 'on'}`,
          <Links section="container-apps" names={appsOpenTo(group, apps)} />,
        ])}
      />
    </>
  );
}

/** The names of the apps that let a group's members in. */
function appsOpenTo(group: GroupView, apps: ConsoleData['apps']): readonly string[] {
  return sortedByName(apps)
    .filter((app) => groupsLetIn(app, [group]).length > 0)
    .map(({ name }) => name);
}

/**
 * One group with its owners, members and rule.
 *
 * @param name its id, as in links of lists, or its mail nickname, as in links of pictures
 */
export function GroupPage({
  name,
  groups,
  groupCount,
  apps,
  people,
}: ConsoleData & { name: string }) {
  const group =
    groups.find(({ id }) => id === name) ?? groups.find((each) => each.mailNickname === name);
  if (group === undefined)
    return (
      <Missing
        name={name}
        reason={
          groupCount > groups.length
            ? `It is not among the first ${groups.length} groups of the directory.`
            : 'The directory has no group of this name.'
        }
        all={<a href="#/groups">All groups</a>}
      />
    );
  return (
    <>
      <p class="crumb">
        <a href="#/groups">Groups</a>
      </p>
      <h1>{group.name}</h1>
      <dl>
        <Fact name="Description">{group.description}</Fact>
        <Fact name="Kind">{`${group.kind} group`}</Fact>
        <Fact name="Mail">{group.mail}</Fact>
        <Fact name="Mail nickname">{group.mailNickname}</Fact>
        <Fact name="Visibility">{group.visibility}</Fact>
        <Fact name="Rule">{group.rule && <code>{group.rule}</code>}</Fact>
        <Fact name="Rule processing">{group.processing}</Fact>
        <Fact name="Created">
          {group.createdAt === undefined ? undefined : momentOf(group.createdAt)}
        </Fact>
        <Fact name="Object id">
          <code>{group.id}</code>
        </Fact>
        <Fact name="Gets into">
          <Links section="container-apps" names={appsOpenTo(group, apps)} />
        </Fact>
      </dl>
      <Members
        title="Owners"
        members={group.owners}
        people={people}
        empty="Nothing and no one owns this group."
      />
      <Members
        title="Members"
        members={group.members}
        people={people}
        empty={group.rule === undefined ? 'The group is empty.' : 'The rule matches no one.'}
      />
    </>
  );
}

function Members({
  title,
  members,
  people,
  empty,
}: {
  title: string;
  members: readonly Member[];
  people: ConsoleData['people'];
  empty: string;
}) {
  const sorted = sortedByName(members);
  const person = (id: string) => people.find((each) => each.id === id);
  return (
    <>
      <h2>
        {title} ({members.length})
      </h2>
      <Table
        caption={title}
        empty={empty}
        columns={['Name', 'Type', 'Account', 'Department']}
        filterTexts={sorted.map(({ id, name }) => `${name} ${person(id)?.userPrincipalName ?? id}`)}
        rows={sorted.map(({ id, name, type }) => [
          type === 'group' || type === 'user' ? (
            <a href={pageAddress(type === 'group' ? 'groups' : 'people', id)}>{name}</a>
          ) : (
            name
          ),
          type,
          person(id)?.userPrincipalName ?? <code>{id}</code>,
          person(id)?.department ?? '',
        ])}
      />
    </>
  );
}
