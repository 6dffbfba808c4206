import { useEffect, useState } from 'preact/hooks';
import type { PersonProperty } from '../person-properties.js';
import type { PersonView } from '../console-data.js';
import { sendChange, getJson } from './state.js';

/** Properties that are always shown, besides those that rules read. */
const commonProperties = [
  'accountEnabled',
  'department',
  'jobTitle',
  'companyName',
  'country',
  'userType',
];

/** A form with the properties of a person that rules can read, those that rules do read first. */
export function PropertiesForm({
  person,
  refresh,
}: {
  readonly person: PersonView;
  readonly refresh: () => void;
}) {
  const [properties, setProperties] = useState<readonly PersonProperty[]>();
  const [result, setResult] = useState<string>();
  useEffect(() => {
    getJson<readonly PersonProperty[]>(`api/people/${person.id}`).then(
      setProperties,
      ({ message }: Error) => setResult(message),
    );
  }, [person]);
  if (properties === undefined) return <p class="loading">{result ?? 'Reading…'}</p>;
  const save = async (form: HTMLFormElement): Promise<void> => {
    const formData = new FormData(form);
    const changes = properties.flatMap(({ name, value }) => {
      const text = formData.get(name);
      return typeof text === 'string' && text !== value ? [[name, text] as const] : [];
    });
    const names = changes.map(([name]) => name).join(', ');
    if (names === '') return setResult('Nothing is changed.');
    const error = await sendChange(`api/people/${person.id}`, Object.fromEntries(changes), 'PATCH');
    setResult(error ?? `Changed ${names}.`);
    if (error !== undefined) return;
    const changedValues = new Map(changes);
    setProperties(
      properties.map((each) => ({ ...each, value: changedValues.get(each.name) ?? each.value })),
    );
    refresh();
  };
  const isMain = ({ name, readBy }: PersonProperty) =>
    readBy.length > 0 || commonProperties.includes(name);
  const fields = (shown: readonly PersonProperty[]) =>
    shown.map((property) => <Field key={`${property.name} ${property.value}`} {...property} />);
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        void save(event.currentTarget);
      }}
    >
      {fields(properties.filter(isMain))}
      <details>
        <summary>All properties that rules can read</summary>
        <div class="fields">{fields(properties.filter((property) => !isMain(property)))}</div>
      </details>
      <p class="actions">
        <button type="submit">Save</button>
        <span role="status">{result}</span>
      </p>
    </form>
  );
}

function Field({ name, type, value, readBy }: PersonProperty) {
  return (
    <label>
      {name}
      {type === 'boolean' ? (
        <select name={name}>
          {['true', 'false'].map((each) => (
            <option key={each} selected={each === value}>
              {each}
            </option>
          ))}
        </select>
      ) : (
        <input
          name={name}
          defaultValue={value}
          placeholder={type === 'strings' ? 'one, another' : 'not set'}
          autoComplete="off"
        />
      )}
      {readBy.length > 0 && <small>read by the rule of {readBy.join(', ')}</small>}
    </label>
  );
}
