import { html, type Html } from '../html.js';
import type { Simulation } from './simulation.js';
import type { Step } from './steps.js';

/** The style of {@link explanationSection}; it uses the colours of the page's own style. */
export const explanationStyle = `:root{--good:#1a6b32;--bad:#b3261e}@media(prefers-color-scheme:dark){:root{--good:#6fd08c;--bad:#ff9a92}}
body:has(.why){padding-top:clamp(1rem,6vw,4rem)}main:has(.why){max-width:36rem}main:has(.why)>p:not(.facts){display:none}
.why h2{margin:1.75rem 0 .75rem;font-size:1rem}.why .reason{margin:0;color:var(--ink);font-size:1.15rem;font-weight:600;line-height:1.4}
.why ol{list-style:none;margin:0;padding:0}.why li+li{margin:0}
.steps li{position:relative;padding:0 0 .7rem 1.9rem;font-size:.875rem;color:var(--muted)}
.steps li::before{content:"✓";position:absolute;left:0;top:.05rem;width:1.25rem;height:1.25rem;border-radius:50%;background:var(--good);color:var(--card);font-weight:700;font-size:.75rem;line-height:1.25rem;text-align:center}
.steps li::after{content:"";position:absolute;left:.6rem;top:1.45rem;bottom:.1rem;border-left:2px solid var(--line)}.steps li:last-child::after{display:none}
.steps .fail::before{content:"✕";background:var(--bad)}.steps .unknown::before{content:"?";background:var(--muted)}
.steps:has(.decides.fail) .fail:not(.decides)::before{background:var(--muted)}
.steps b{color:var(--ink)}.steps span{display:block}.steps .decides{font-size:1rem}.steps .decides b{color:var(--bad)}.steps .decides.pass b{color:var(--good)}
.why a:not(.button){color:var(--accent)}.ways li{padding:.15rem 0}.why .button,.why .button:hover{margin-top:1rem;border-color:var(--accent);background:var(--accent);color:var(--card)}.facts a{color:inherit}`;

/** Makes the address of a page of the console. */
export type CreateConsoleLink = (page: string) => string;

/** Why a person was refused, as a section of a page without scripts: the steps, and the remedies. */
export function explanationSection(
  simulation: Simulation,
  createConsoleLink: CreateConsoleLink,
): Html {
  const { sentence, steps, remedies, allowed } = simulation;
  if (allowed === true)
    return html`<section class="why">
      <p class="reason">
        Access has changed: ${sentence} Sign in again, since this session is older.
      </p>
      <a class="button" href="${createConsoleLink(simulatorPath(simulation))}"
        >Open in the simulator</a
      >
    </section>`;
  return html`<section class="why">
    <p class="reason">${sentence}</p>
    <h2>Step by step</h2>
    <ol class="steps">
      ${steps.map((step) => stepItem(step, createConsoleLink))}
    </ol>
    ${remedies.length > 0 && remedyList(simulation, createConsoleLink)}
    <a class="button" href="${createConsoleLink(simulatorPath(simulation))}"
      >Open in the simulator</a
    >
  </section>`;
}

function remedyList(simulation: Simulation, createConsoleLink: CreateConsoleLink): Html {
  return html`<h2>The way out</h2>
    <ol class="ways">
      ${simulation.remedies.map(
        ({ text, attributes, place }) =>
          html`<li>
            ${
              attributes === undefined
                ? text
                : html`<a href="${createConsoleLink(simulatorPath({ ...simulation, attributes }))}"
                    >${text}</a
                  >`
            }${placeLink(place)}
          </li>`,
      )}
    </ol>`;
}

function stepItem(
  { title, detail, verdict, decides, place, href }: Step,
  createConsoleLink: CreateConsoleLink,
): Html {
  const page = href?.replace(/^#\//, '');
  const name = page === undefined ? title : html`<a href="${createConsoleLink(page)}">${title}</a>`;
  return html`<li class="${verdict}${decides ? ' decides' : ''}">
    <b>${name}</b><span>${detail}${placeLink(place)}</span>
  </li>`;
}

function placeLink(place: Step['place']): Html | string {
  if (place === undefined) return '';
  return html` · <a href="${place.editor}">${place.file}:${place.line}</a>`;
}

/** The path of the simulator's page, in the console, that shows a simulation. */
export function simulatorPath({
  app,
  path,
  person,
  attributes,
}: Pick<Simulation, 'app' | 'path' | 'person' | 'attributes'>): string {
  const query = new URLSearchParams({
    path,
    ...(person !== undefined && { person: person.id }),
    ...attributes,
  });
  return `simulator/${encodeURIComponent(app)}?${query.toString()}`;
}
