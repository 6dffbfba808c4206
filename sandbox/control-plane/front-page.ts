import type { AppStatus } from '../hosting/app-status.js';
import { html, page } from '../html.js';

/** The path prefixes of the services, and what each serves. */
const services = [
  ['/v1.0, /beta', 'the directory: people, groups, applications'],
  ['/v1', 'workspaces, eventhouses, eventstreams'],
  ['/subscriptions', 'the resource manager: groups, environments, apps'],
  ['/providers', 'billing'],
];

/** The page at the sandbox's own address, for people who open it in a browser. */
export function frontPage(apps: readonly AppStatus[]): string {
  const rows = apps.map(
    ({ name, url, state, runs, auth, detail }) =>
      html`<tr>
        <th scope="row">${url === undefined ? name : html`<a href="${url}">${name}</a>`}</th>
        <td>
          ${state},
          ${runs}${auth ? ', behind sign-in' : ''}${detail === undefined ? '' : html`<br />${detail}`}
        </td>
      </tr>`,
  );
  const addresses = services.map(
    ([path, what]) =>
      html`<tr>
        <th scope="row"><code>${path}</code></th>
        <td>${what}</td>
      </tr>`,
  );
  return page(
    'Castellan sandbox',
    html`<h1>The sandbox is running</h1>
      <h2>Apps</h2>
      ${
        apps.length === 0
          ? html`<p>None is declared yet. <code>castellan up</code> applies a stack.</p>`
          : html`<table>
              ${rows}
            </table>`
      }
      <h2>Services</h2>
      <table>
        ${addresses}
      </table>
      <p class="note">
        <code>castellan sandbox status</code> prints more; <code>castellan sandbox env</code> prints
        the environment variables for Terraform.
      </p>`,
    { wide: true },
  );
}
