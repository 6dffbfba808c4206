#!/usr/bin/env node
import { start } from './start.js';

void start(() => import('./main.js'));

export {}; // makes this file a module; otherwise a bundler takes it for CommonJS
