// Writes docs/reference/configuration.md from the schema: run after a build, when the schema has changed.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { configurationPage } = require('../dist/kinds/stack/reference-page.js');

writeFileSync(new URL('../docs/reference/configuration.md', import.meta.url), configurationPage());
