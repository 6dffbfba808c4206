import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { clientTypes } from './client-types.js';
import { constructProps } from './construct-props.js';
import { protocolMessages } from './protocol-messages.js';

/** What is written from descriptions and isn't kept in the repository: `npm run generate`, which build and types begin with. */
const generated: Readonly<Record<string, string>> = {
  'constructs/generated/props.ts': constructProps(),
  'clients/generated/objects.ts': clientTypes(),
  'provider/protocol/generated/messages.json': protocolMessages(),
};

for (const [file, text] of Object.entries(generated)) {
  mkdirSync(dirname(file), { recursive: true });
  // what is unchanged is left as it is, for watchers and for what compilers remember
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}
