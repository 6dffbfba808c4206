import { useState } from 'preact/hooks';
import type { Snapshot } from '../snapshot.js';
import { act } from './state.js';
import { Table } from './table.js';

/** Who can sign in, with a form that adds a person. */
export function PeoplePage({ people, refresh }: Snapshot & { refresh: () => void }) {
  const [result, setResult] = useState<string>();
  const add = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const given = Object.fromEntries(new FormData(form)) as Record<string, string>;
    const refused = await act('api/people', given);
    setResult(refused ?? `${given['displayName']} can sign in now.`);
    if (refused !== undefined) return;
    form.reset();
    refresh();
  };
  return (
    <>
      <h1>People</h1>
      <Table
        caption="People of the directory"
        empty="The directory has no person. Add one below, or start the sandbox with a seed."
        columns={['Person', 'User principal name', 'Department', 'Account']}
        rows={people.map(({ name, userPrincipalName, department, enabled }) => [
          name,
          userPrincipalName,
          department ?? 'none',
          enabled ? 'enabled' : 'disabled',
        ])}
      />
      <h2>Add a person</h2>
      <form onSubmit={(event) => void add(event)}>
        <label>
          Name
          <input name="displayName" required autoComplete="off" />
        </label>
        <label>
          User principal name
          <input
            name="userPrincipalName"
            type="email"
            required
            placeholder="ada@contoso.example"
            autoComplete="off"
          />
        </label>
        <label>
          Department
          <input name="department" autoComplete="off" />
        </label>
        <button type="submit">Add</button>
        <p role="status">{result}</p>
      </form>
    </>
  );
}
