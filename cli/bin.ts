#!/usr/bin/env node
import { start } from './start.js';

void start(() => import('./main.js'));

export {}; // a module: otherwise a bundler takes everything for CommonJS
