import { once } from 'node:events';
import type { RegisterCommand } from '../command.js';
import type { ServeFlags } from '../../sandbox/serve/options.js';
import { logLevels } from '../../core/values/log-levels.js';
import { ChoiceOption, listOfWords } from '../choice-option.js';
import { printJsonLine, printText } from '../format.js';
import { interruptSignal } from '../start.js';

/** `castellan serve SERVICE…`: runs services without a sandbox. */
export const register: RegisterCommand = (program, io, done) => {
  program
    .command('serve')
    .description('Run services by themselves, any of them together on one port.')
    .argument('<service...>', 'directory, items, billing, resource-manager')
    .option(
      '--listen <host:port>',
      'where to accept connections; port 0 takes a free one',
      '127.0.0.1:0',
    )
    .option('--tls-cert <file>', 'certificate (PEM); without it the services speak plain HTTP')
    .option('--tls-key <file>', 'key of the certificate (PEM)')
    .option('--database <url>', 'sqlite:PATH, postgres://… or memory:', 'memory:')
    .addOption(new ChoiceOption('--dialect <dialect>', ['neutral', 'azure']).default('neutral'))
    .addOption(
      new ChoiceOption(
        '--throttle <on|off>',
        ['on', 'off'],
        "429 by the services' own rules",
      ).default('on'),
    )
    .addOption(
      new ChoiceOption(
        '--log-level <level>',
        logLevels,
        `${listOfWords(logLevels)} (on stderr)`,
      ).default('warn'),
    )
    .option(
      '--issuer <urls>',
      'who may issue tokens (OpenID discovery), comma-separated; http on loopback only',
    )
    .option(
      '--audience <audiences>',
      "audiences that tokens may carry, comma-separated (default: the service's own origin on this machine, and the cloud's)",
    )
    .option('--no-auth', 'let everyone in; on loopback only')
    .option('--seed <file>', 'YAML with what exists from the start; applied idempotently')
    .option('--now <time>', 'ISO 8601: a clock that starts there and runs on')
    .option(
      '--long-running <mode>',
      'always, never, random:SEED or size:BYTES (items)',
      'random:castellan',
    )
    .option(
      '--long-running-seconds <seconds>',
      'how long a long-running operation takes (items)',
      '2',
    )
    .option(
      '--fail-items <prefix>',
      'the creation of an item whose name starts with this is accepted and then fails (items)',
    )
    .option('--record <file>', 'record every call there (HAR 1.2), secrets masked')
    .action(async (services: string[], flags: ServeFlags) => {
      const { parseServeOptions } = await import('../../sandbox/serve/options.js');
      const { serve } = await import('../../sandbox/serve/serve.js');
      const server = await serve(parseServeOptions(services, flags));
      const end = once(interruptSignal(), 'abort');
      for (const { name, urls } of server.addresses)
        printText(io.stderr, `${name.padEnd(16)} ${urls.join(' ')}\n`);
      printJsonLine({ listening: server.origin }, io);
      await end;
      await server.close();
      done(0);
    });
};
