import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A program of this folder, which runs the calls of one client. */
export interface ClientProgram {
  readonly registry: 'npm' | 'PyPI';
  readonly file: string;
}

/** What the programs share. */
const sharedFiles = ['calls.mjs', 'arm.mjs', 'calls.py', 'arm.py'];

/** The programs of all clients. */
export const programs: readonly ClientProgram[] = (
  [
    ['npm', 'npm', '.mjs'],
    ['PyPI', 'python', '.py'],
  ] as const
).flatMap(([registry, folder, ending]) =>
  readdirSync(join(__dirname, folder))
    .filter((name) => name.endsWith(ending) && !sharedFiles.includes(name))
    .toSorted()
    .map((name) => ({ registry, file: join(__dirname, folder, name) })),
);

/** The lines that name a call, by the language of a program. */
const callLine = { npm: /^ {2}(?:'(.+)'|"(.+)"|(\w+)): async/gm, PyPI: /^ {8}"(.+)": \w+,$/gm };

/** The names of the calls in a program, without running it. */
export function callsIn({ registry, file }: ClientProgram): readonly string[] {
  const names = readFileSync(file, 'utf8').matchAll(callLine[registry]);
  return [...names].map(([, ...quoted]) => quoted.find(Boolean) ?? '');
}

/** A call that a program made. */
export interface MadeCall {
  readonly registry: ClientProgram['registry'];
  readonly client: string;
  readonly version: string;
  readonly call: string;
  readonly error?: string;
}

/** docs/reference/clients.md. */
export function clientsPage(madeCalls: readonly MadeCall[]): string {
  const clients = [...new Set(madeCalls.map(({ client }) => client))].map((client) => {
    const clientCalls = madeCalls.filter((each) => each.client === client);
    const calls = clientCalls.map(({ call }) => `\`${call}\``).join(', ');
    return `| ${client} | ${clientCalls[0]?.registry ?? ''} | ${clientCalls[0]?.version ?? ''} | ${String(clientCalls.length)} | ${calls} |`;
  });
  return `# Unmodified clients

Calls of the cloud's own clients, and of one for OpenID Connect, that pass against a sandbox. Nobody changed the clients: they get the
sandbox's address by the options that they have for other clouds. \`npm run test:long\`, which runs every night, makes all of these calls, checks what they return
([test/sandbox/clients](../../test/sandbox/clients/programs.ts)), and compares this page, which \`UPDATE_DOCS=1\` writes. What single claims rest on is in
[What is equal to the cloud](parity.md); the official Terraform providers are there, too.

| client | from | version | calls | which |
|---|---|---|---|---|
${clients.join('\n')}
`;
}
