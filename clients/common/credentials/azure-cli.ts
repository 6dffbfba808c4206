import { execFile } from 'node:child_process';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { rememberTokens } from '../credential.js';
import type { AccessToken, TokenProvider } from '../credential.js';
import { resourceOf } from './resource.js';

/** Runs a program and gives back what it printed; injected in tests. */
export type RunProgram = (file: string, args: readonly string[]) => Promise<string>;

/** Whose sign-in is used. */
export interface AzureCliOptions {
  /** @default the CLI's default tenant */
  readonly tenantId?: string;
  readonly run?: RunProgram;
}

/** Tokens of the person signed in with `az login`: `az account get-access-token --output json --resource …`. */
export function azureCliCredential(options: AzureCliOptions = {}): TokenProvider {
  const run = options.run ?? runProgram;
  return rememberTokens({
    async getToken(scope) {
      const args = ['account', 'get-access-token', '--output', 'json', '--resource', resourceOf(scope)];
      if (options.tenantId !== undefined) args.push('--tenant', options.tenantId);
      let printed: string;
      try {
        printed = await run('az', args);
      } catch (cause) {
        throw new CastellanError('CAS5004', `az gave no token: ${firstLine((cause as Error).message)}`, { cause });
      }
      return tokenOf(printed);
    },
  });
}

function tokenOf(printed: string): AccessToken {
  let answer: { accessToken?: unknown; expires_on?: unknown; expiresOn?: unknown };
  try {
    answer = JSON.parse(printed) as typeof answer;
  } catch {
    // The text itself stays out of the message: it may hold a token.
    throw new CastellanError('CAS5004', 'az printed something that is not JSON');
  }
  if (typeof answer.accessToken !== 'string') throw new CastellanError('CAS5004', "az printed JSON without 'accessToken'");
  const seconds = Number(answer.expires_on);
  if (Number.isFinite(seconds) && seconds > 0) return { token: answer.accessToken, expiresAt: new Date(seconds * 1000) };
  const date = typeof answer.expiresOn === 'string' ? new Date(answer.expiresOn) : undefined;
  return date && !Number.isNaN(date.getTime()) ? { token: answer.accessToken, expiresAt: date } : { token: answer.accessToken };
}

const runProgram: RunProgram = (file, args) =>
  new Promise((done, fail) => {
    execFile(file, args, { timeout: 60_000, maxBuffer: 1024 * 1024 }, (error, stdout, stderr) => {
      if (error) fail(new Error(stderr.trim() || error.message, { cause: error }));
      else done(stdout);
    });
  });

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
