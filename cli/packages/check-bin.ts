#!/usr/bin/env node
import { join } from 'node:path';
import { loadCompiled } from '../compiled-file.js';
import { type Main, start } from '../start.js';

/** The `castellan` of the package castellan-check; everything is in one file beside it. */
void start(async (args, io) => {
  const { exports, keep } = loadCompiled(join(__dirname, 'main.js'), io.env);
  const exitCode = await (exports as { readonly main: Main }).main(args, io);
  keep();
  return exitCode;
});
