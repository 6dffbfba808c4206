import { Html, html, page } from '../html.js';
import { verdictWords } from '../../access/answer/chain-link.js';
import type { Refusal } from './refusals.js';
import { personName, type Person } from '../../access/token-claims.js';

/** The most people that a sign-in page lists. */
export const maxListedPeople = 500;

/** The page to choose a person; each person is a button of one form. */
export function signInPage(options: {
  readonly people: readonly Person[];
  readonly application: string;
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** The sign-in that was just refused, and why. */
  readonly latestRefusal?: { readonly app: string; readonly refusal: Refusal } | undefined;
}): string {
  const { people, application, action, hidden = {}, latestRefusal } = options;
  const fields = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  const list = people.map(
    (person) =>
      html`<li>
        <button name="person" value="${person.id}">
          <span class="initials" aria-hidden="true">${initials(personName(person))}</span
          ><span
            ><span class="name">${personName(person)}</span
            ><span class="mail"
              >${[person.userPrincipalName, person.jobTitle ?? person.department].filter(Boolean).join(' · ')}</span
            ></span
          >
        </button>
      </li>`,
  );
  return page(
    'Sign in',
    html`${latestRefusal === undefined ? '' : refusalNote(latestRefusal)}
      <h1>Who is signing in?</h1>
      <p>
        To <strong>${application}</strong>. These are the people of the sandbox's directory; no one
        needs a password here.
      </p>
      ${
        people.length === 0
          ? html`<p class="note">
              There are no people yet. Start the sandbox with a seed file that lists users.
            </p>`
          : html`<form method="post" action="${action}">
              ${fields}
              <ul class="people">
                ${list}
              </ul>
            </form>`
      }`,
  );
}

function refusalNote({
  app,
  refusal: { person, chain },
}: {
  readonly app: string;
  readonly refusal: Refusal;
}): Html {
  return html`<details class="note" open>
    <summary>${person} is not let in to ${app}</summary>
    <ul class="chain">
      ${chain.map(({ kind, name, value, verdict }) => html`<li><strong>${verdictWords[verdict]}</strong> ${kind} ${name}: ${value}</li>`)}
    </ul>
  </details>`;
}

/** The question before a sign-out, so that no link on another page can sign out unnoticed. */
export function confirmSignOutPage(form: string): string {
  return page(
    'Sign out',
    html`<h1>Sign out?</h1>
      <p>You will be asked who you are the next time.</p>
      ${new Html(form)}
      <button class="button" autofocus type="submit" form="op.logoutForm" name="logout" value="yes">
        Sign out
      </button>`,
  );
}

/** The page after a sign-out that returns to no application. */
export function signedOutPage(): string {
  return page(
    'Signed out',
    html`<h1>You are signed out</h1>
      <p>You can close this page.</p>`,
  );
}

/**
 * The page where a person types the code of a device.
 *
 * @param problem set if the page is shown again after a code that is not valid
 */
export function enterCodePage(form: string, problem: 'invalid-code' | undefined): string {
  return page(
    'Enter the code',
    html`<h1>Enter the code</h1>
      <p>It is shown by the app or the device that you want to sign in to.</p>
      ${problem === 'invalid-code' ? html`<p class="note">This code is not known, has expired or was used already.</p>` : ''}
      ${new Html(form.replace('name="user_code"', 'name="user_code" aria-label="Code"'))}
      <button class="button" type="submit" form="op.deviceInputForm">Next</button>`,
  );
}

/**
 * The question before the person signs in, because a code from another person would sign in that
 * person's device.
 */
export function confirmCodePage(form: string, application: string, code: string): string {
  return page(
    'Confirm the code',
    html`<h1>Are you signing in to ${application}?</h1>
      <p>Go on only if your device shows the code <code>${code}</code>.</p>
      ${new Html(form)}
      <button class="button" autofocus type="submit" form="op.deviceConfirmForm">Continue</button>
      <button class="button" type="submit" form="op.deviceConfirmForm" name="abort" value="yes">
        Cancel
      </button>`,
  );
}

/** The page after the sign-in of a device. */
export function deviceSignedInPage(): string {
  return page(
    'Signed in',
    html`<h1>You are signed in</h1>
      <p>Your device goes on by itself. You can close this page.</p>`,
  );
}

/** The page for a request that cannot be answered. */
export function errorPage(error: string, description: string): string {
  return page(
    'Sign-in failed',
    html`<h1>This sign-in can't go on</h1>
      <p>${description}</p>
      <p><code>${error}</code></p>`,
  );
}

/** The first letters of the first two words of a name. */
function initials(name: string): string {
  const words = name.split(/[\s@.]+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('');
}
