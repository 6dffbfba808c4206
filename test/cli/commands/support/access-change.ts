import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newRepository, runGitCommands } from '../../../support/git-repository.js';

/** A stack of two apps, of which one admits a group whose members a rule selects. */
export const configWithRule = (rule: string, paths = '[/healthz]') => `version: 1
stack: shop
registrations:
  login: { displayName: Sign-in }
containerApps:
  storefront:
    image: ghcr.io/contoso/storefront@sha256:${'0'.repeat(64)}
    targetPort: 8080
    ingress: { external: true }
    auth: { excludedPaths: ${paths}, providers: { directory: { registration: login, allowedGroups: [shoppers] } } }
  other:
    image: ghcr.io/contoso/other@sha256:${'0'.repeat(64)}
    targetPort: 8080
    ingress: { external: true }
    auth: { providers: { directory: { registration: login } } }
groups:
  shoppers: { kind: security, displayName: Shoppers, dynamicMembership: { rule: '${rule}' } }
`;

/** Ada in Retail, and Grace in Operations. */
export const seed = `users:
  - { id: 0a2b1f6e-5d3c-4b7a-9e11-1d2c3b4a5f60, userPrincipalName: ada@contoso.example, displayName: Ada, department: Retail }
  - { id: 1b3c2f7d-6e4d-4c8b-8f22-2e3d4c5b6071, userPrincipalName: grace@contoso.example, displayName: Grace, department: Operations }
`;

/** A repository whose last commit has one configuration, and whose folder another. */
export function repositoryWithChange(before: string, after: string): string {
  const folder = newRepository({ 'castellan.yaml': before, 'seed.yaml': seed });
  writeFileSync(join(folder, 'castellan.yaml'), after);
  return folder;
}

/** Puts files into the last commit of the main branch, whose policy judges a change. */
export function commitToMain(cwd: string, ...files: string[]): void {
  runGitCommands(cwd, ['add', ...files], ['commit', '--message', 'trusted', '--', ...files]);
}

/** Selects Ada alone. */
export const retailRule = 'user.department -eq "Retail"';
