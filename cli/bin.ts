#!/usr/bin/env node
import { main } from './main.js';

void main(process.argv.slice(2), { stdout: process.stdout, stderr: process.stderr, env: process.env, cwd: process.cwd() }).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
);
