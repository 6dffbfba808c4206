import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { folderWithCastellan, quiet } from './installed-package.js';

/** How a line of a shell ended. */
export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a line of a shell in a project, with its own commands and those of the packed package at
 * hand.
 */
export async function shell(project: string, line: string): Promise<Ended> {
  const folders = [project, await folderWithCastellan()];
  const path = [
    ...folders.map((folder) => join(folder, 'node_modules/.bin')),
    process.env['PATH'] ?? '',
  ].join(delimiter);
  const env = { ...process.env, ...quiet, CI: '1', PATH: path, npm_config_ignore_scripts: 'true' };
  const options = { cwd: project, env, maxBuffer: 1 << 26 };
  return new Promise((done) => {
    execFile('bash', ['-c', line], options, (error, stdout, stderr) =>
      done({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/** Runs a line that has to succeed. @returns what it prints on stdout and stderr */
export async function succeeds(project: string, line: string): Promise<string> {
  const { exitCode, stdout, stderr } = await shell(project, line);
  if (exitCode !== 0)
    throw new Error(`${line} ended with ${String(exitCode)}:\n${stdout}${stderr}`);
  return stdout + stderr;
}
