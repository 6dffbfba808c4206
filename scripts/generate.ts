import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { clientTypes } from './client-types.js';
import { constructProps } from './construct-props.js';
import { protocolMessages } from './protocol-messages.js';
import { providerBindings } from './provider-bindings.js';
import { servedTypesFile } from './served-types.js';

/**
 * Generates the files that are not kept in the repository (`npm run generate`); build and types run
 * it first.
 */
async function generate(): Promise<void> {
  const generated: Readonly<Record<string, string>> = {
    'constructs/generated/props.ts': constructProps(),
    'constructs/generated/served-types.ts': await servedTypesFile(),
    'clients/generated/objects.ts': clientTypes(),
    ...providerBindings(),
    'provider/protocol/generated/messages.json': protocolMessages(),
  };
  for (const [file, text] of Object.entries(generated)) {
    mkdirSync(dirname(file), { recursive: true });
    // unchanged files are not written, so that watchers and incremental compilers skip them
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  }
}

void generate();
