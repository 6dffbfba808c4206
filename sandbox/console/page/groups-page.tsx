import type { Member, Snapshot } from '../snapshot.js';
import { groupsLetIn } from './apps-page.js';
import { pageAddress } from './router.js';
import { byName, Fact, Missing, Table } from './table.js';

/** Every group of the directory. */
export function GroupsPage({ groups }: Snapshot) {
  return (
    <>
      <h1>Groups</h1>
      <Table
        caption="Groups of the directory"
        empty="The directory has no group."
        columns={['Group', 'Kind', 'Owners', 'Members', 'Membership']}
        rows={byName(groups).map(({ id, name, kind, owners, members, rule, processing }) => [
          <a href={`#/groups/${id}`}>{name}</a>,
          kind,
          owners.length,
          members.length,
          rule === undefined
            ? 'assigned'
            : `by a rule, ${processing === 'Paused' ? 'paused' : 'on'}`,
        ])}
      />
    </>
  );
}

/**
 * One group with its owners, members and rule. Pictures name it by its mail nickname, lists by its
 * id.
 */
export function GroupPage({ name, groups, apps }: Snapshot & { name: string }) {
  const group =
    groups.find(({ id }) => id === name) ?? groups.find((each) => each.mailNickname === name);
  if (group === undefined)
    return (
      <Missing
        name={name}
        reason="The directory has no group of this name."
        all={<a href="#/groups">All groups</a>}
      />
    );
  const open = byName(apps).filter((app) => groupsLetIn(app, [group]).length > 0);
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
          {group.createdAt === undefined ? undefined : new Date(group.createdAt).toLocaleString()}
        </Fact>
        <Fact name="Object id">
          <code>{group.id}</code>
        </Fact>
        <Fact name="Gets into">
          {open.length === 0
            ? 'no app'
            : open.map(({ name: app }, at) => (
                <>
                  {at > 0 && ', '}
                  <a href={pageAddress('container-apps', app)}>{app}</a>
                </>
              ))}
        </Fact>
      </dl>
      <Members title="Owners" members={group.owners} empty="Nothing and no one owns this group." />
      <Members
        title="Members"
        members={group.members}
        empty={group.rule === undefined ? 'The group is empty.' : 'The rule matches no one.'}
      />
    </>
  );
}

function Members({
  title,
  members,
  empty,
}: {
  title: string;
  members: readonly Member[];
  empty: string;
}) {
  return (
    <>
      <h2>
        {title} ({members.length})
      </h2>
      <Table
        caption={title}
        empty={empty}
        columns={['Name', 'Type', 'Object id']}
        rows={members.map(({ id, name, type }) => [
          type === 'group' || type === 'user' ? (
            <a href={`#/${type === 'group' ? 'groups' : 'people'}/${id}`}>{name}</a>
          ) : (
            name
          ),
          type,
          <code>{id}</code>,
        ])}
      />
    </>
  );
}
