#!/usr/bin/env node
import { main } from '../sidecar-main.js';
import { start } from '../start.js';

/**
 * The `castellan-sidecar`, and the `castellan`, of the package castellan-sidecar: the command word
 * may be omitted.
 */
void start((args, io) => {
  const own = args[0] === 'serve' ? args.slice(1) : args;
  return main(own[0] === 'sidecar' || own[0] === '--version' ? own : ['sidecar', ...own], io);
});
