#!/usr/bin/env node
import { start } from '../start.js';

/** The command `castellan` of the package castellan-check. */
void start(() => import('./check.js'));

export {}; // a module: otherwise a bundler takes everything for CommonJS
