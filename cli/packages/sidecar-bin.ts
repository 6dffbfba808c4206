#!/usr/bin/env node
import { start } from '../start.js';

/** The commands `castellan-sidecar` and `castellan` of the package castellan-sidecar. */
void start(() => import('./sidecar.js'));

export {}; // a module: otherwise a bundler takes everything for CommonJS
