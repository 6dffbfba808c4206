import { useEffect, useState } from 'preact/hooks';
import type { SourceLink } from '../../explanation/source-links.js';
import type { Simulation } from '../../explanation/simulation.js';
import type { Step } from '../../explanation/steps.js';
import type { ConsoleData } from '../console-data.js';
import type { Route } from './route.js';
import { pageAddress, hypotheticalPerson } from './router.js';
import { Proof } from './proof.js';
import { sendChange, getJson } from './state.js';
import { sortedByName } from './elements.js';

const verdictWords = { pass: 'yes', fail: 'no', unknown: 'not known' } as const;
const verdictMarks = { pass: '✓', fail: '✕', unknown: '?' } as const;
/** The choice of no session, instead of a person of the directory. */
const nobody = 'nobody';

/** Who gets into an app, and why: a chain of steps for a person, an app and a path. */
export function SimulatorPage({
  route: { name, query },
  consoleData,
  refresh,
}: {
  route: Route;
  consoleData: ConsoleData;
  refresh: () => void;
}) {
  const [apps, people] = [sortedByName(consoleData.apps), sortedByName(consoleData.people)];
  const app = name ?? apps[0]?.name;
  const { path = '/', person: requested = people[0]?.id ?? nobody, ...attributes } = query;
  const person = findPersonId(requested, people);
  const [answer, setAnswer] = useState<Simulation>();
  const [problem, setProblem] = useState<string>();
  const isHypotheticalPerson = person === hypotheticalPerson;
  const question = JSON.stringify([app, path, person, attributes]);
  const readAnswer = (): (() => void) | undefined => {
    if (app === undefined || person === undefined) return undefined;
    let isLatest = true; // an answer to an earlier question may arrive after that to this one
    const isInDirectory = person !== nobody && !isHypotheticalPerson;
    const parameters = new URLSearchParams({
      ...(isHypotheticalPerson ? { accountEnabled: 'true' } : {}),
      ...attributes,
      app,
      path,
      ...(isInDirectory ? { person } : {}),
    });
    getJson<Simulation>(`api/simulation?${parameters.toString()}`).then(
      (value) => {
        if (!isLatest) return;
        setAnswer(value);
        setProblem(undefined);
      },
      ({ message }: Error) => {
        if (isLatest) setProblem(message);
      },
    );
    return () => {
      isLatest = false;
    };
  };
  useEffect(readAnswer, [question, consoleData.people]);
  if (app === undefined)
    return (
      <>
        <h1>Simulator</h1>
        <p class="empty">No app is declared, so there is nothing to get into.</p>
      </>
    );
  const goTo = (change: Readonly<Record<string, string>>, toApp = app): void => {
    location.hash = pageAddress('simulator', toApp, { path, person, ...attributes, ...change });
  };
  return (
    <>
      <h1>Simulator</h1>
      <p class="lead">
        Who gets in, and why: by the decisions of the sign-in layer and the rules of the directory,
        as they are now.
      </p>
      <form class="row" onSubmit={(event) => event.preventDefault()}>
        <label>
          Person
          <select
            value={person ?? ''}
            onChange={({ currentTarget }) => goTo({ person: currentTarget.value })}
          >
            {person === undefined && <option value="">choose a person</option>}
            {people.map((each) => (
              <option key={each.id} value={each.id}>
                {each.name}
              </option>
            ))}
            <option value={hypotheticalPerson}>somebody with these attributes</option>
            <option value={nobody}>a browser without a session</option>
          </select>
        </label>
        <label>
          App
          <select value={app} onChange={({ currentTarget }) => goTo({}, currentTarget.value)}>
            {apps.map((each) => (
              <option key={each.name}>{each.name}</option>
            ))}
          </select>
        </label>
        <label>
          Path
          <input
            value={path}
            onChange={({ currentTarget }) => goTo({ path: currentTarget.value })}
          />
        </label>
      </form>
      {person !== undefined && person !== nobody && answer !== undefined && (
        <WhatIf answer={answer} attributes={attributes} goTo={goTo} />
      )}
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      {person === undefined ? (
        <p class="error" role="alert">
          {consoleData.truncatedLists.includes('people')
            ? `“${requested}” is not among the first ${people.length} people of the directory.`
            : `There is no person “${requested}” in the directory.`}
        </p>
      ) : answer === undefined ? (
        <p class="loading">Deciding…</p>
      ) : (
        <Answer answer={answer} refresh={refresh} />
      )}
      <Proof app={app} consoleData={consoleData} />
    </>
  );
}

/** The id of a person by id, name, user principal name or its part before the `@`. */
function findPersonId(requested: string, people: ConsoleData['people']): string | undefined {
  if (requested === hypotheticalPerson || requested === nobody) return requested;
  const wanted = requested.toLowerCase();
  return people.find(({ id, name, userPrincipalName }) =>
    [id, name, userPrincipalName, userPrincipalName?.split('@', 1)[0]].some(
      (each) => each?.toLowerCase() === wanted,
    ),
  )?.id;
}

/** Inputs for the properties that the rules in front of the app read. */
function WhatIf({
  answer: { asked, person },
  attributes,
  goTo,
}: {
  answer: Simulation;
  attributes: Readonly<Record<string, string>>;
  goTo: (change: Readonly<Record<string, string>>) => void;
}) {
  const isChanged = Object.values(attributes).some((value) => value !== '');
  return (
    <form class="row whatif" onSubmit={(event) => event.preventDefault()}>
      <span class="title">What if</span>
      {asked.map(({ name, value }) => (
        <label key={name}>
          {name} =
          <input
            value={attributes[name] ?? ''}
            placeholder={value ?? 'not set'}
            size={12}
            onChange={({ currentTarget }) => goTo({ [name]: currentTarget.value })}
          />
        </label>
      ))}
      {isChanged && (
        <button
          type="button"
          class="quiet"
          onClick={() => goTo(Object.fromEntries(Object.keys(attributes).map((key) => [key, ''])))}
        >
          As {person === undefined ? 'before' : 'it is'}
        </button>
      )}
    </form>
  );
}

function Answer({ answer, refresh }: { answer: Simulation; refresh: () => void }) {
  const { allowed, status, sentence, steps, app } = answer;
  const verdict = allowed === true ? 'pass' : allowed === false ? 'fail' : 'unknown';
  const takenSteps = steps.filter((step) => !isOtherProvider(step));
  const otherProviderSteps = steps.filter(isOtherProvider);
  return (
    <section class={`answer ${verdict}`} aria-live="polite" aria-label="The answer">
      <p class="verdict">
        <span class="mark" aria-hidden="true">
          {verdictMarks[verdict]}
        </span>
        <span>
          <strong>{sentence}</strong>
          <span class="note">
            {allowed === true
              ? `${app} answers.`
              : status === undefined
                ? 'The answer depends on what is not known here.'
                : `The browser gets ${String(status)}.`}
          </span>
        </span>
      </p>
      <ol class="chain">
        {takenSteps.map((step, index) => (
          <StepCard key={`${step.title} ${index}`} step={step} />
        ))}
      </ol>
      {otherProviderSteps.length > 0 && (
        <>
          <h2>Other ways in</h2>
          <ol class="chain others">
            {otherProviderSteps.map((step) => (
              <StepCard key={step.title} step={step} />
            ))}
          </ol>
        </>
      )}
      <Remedies answer={answer} refresh={refresh} />
    </section>
  );
}

/** Whether a step is another provider, at which the person was not asked to sign in. */
function isOtherProvider({ kind, verdict }: Step): boolean {
  return kind === 'provider' && verdict === 'unknown';
}

function StepCard({ step }: { step: Step }) {
  const { title, detail, verdict, decides, place, href } = step;
  return (
    <li class={`${verdict}${decides ? ' decides' : ''}`}>
      <span class="mark" aria-hidden="true">
        {verdictMarks[verdict]}
      </span>
      <div>
        <b>
          {href === undefined ? title : <a href={href}>{title}</a>}
          <span class="hidden">: {verdictWords[verdict]}</span>
        </b>
        <span class="detail">{detail}</span>
        {place !== undefined && <Line place={place} />}
      </div>
    </li>
  );
}

/** A line of a file, opened in the editor. */
export function Line({ place: { file, line, editor } }: { place: SourceLink }) {
  return (
    <a class="line" href={editor}>
      {file}:{line}
    </a>
  );
}

/** The changes after which the person gets in, to try and to make. */
function Remedies({ answer, refresh }: { answer: Simulation; refresh: () => void }) {
  const [result, setResult] = useState<string>();
  const { remedies, app, path, person, attributes } = answer;
  if (remedies.length === 0) return null;
  const apply = async (changes: Readonly<Record<string, string>>): Promise<void> => {
    if (person === undefined) return;
    const error = await sendChange(`api/people/${person.id}`, changes, 'PATCH');
    setResult(error ?? `Done: ${person.name} can sign in again.`);
    refresh();
  };
  return (
    <>
      <h2>The way out</h2>
      <ul class="ways">
        {remedies.map(({ text, attributes: change, place }) => (
          <li key={text}>
            <span>
              {text} {place !== undefined && <Line place={place} />}
            </span>
            {change !== undefined && (
              <span class="actions">
                <a
                  class="button quiet"
                  href={pageAddress('simulator', app, {
                    path,
                    person: person?.id ?? hypotheticalPerson,
                    ...attributes,
                    ...change,
                  })}
                >
                  Try
                </a>
                {person !== undefined && (
                  <button type="button" onClick={() => void apply(change)}>
                    Do it
                  </button>
                )}
              </span>
            )}
          </li>
        ))}
      </ul>
      <p role="status">{result}</p>
    </>
  );
}
