import { isServiceError, type ServiceError } from '../../../clients/common/index.js';
import type { Resources } from '../../../clients/resource-manager/index.js';
import type { ValueMap } from '../../values/value.js';
import { type Context, ProviderFailure } from '../handler.js';
import { number, oneBlock, texts } from '../read-values.js';

/** The default timeout of these resources' operations. */
const maxRetryMs = 30 * 60_000;
const defaults = { interval: 10, longest: 180, growth: 1.5, spread: 0.5 };

/**
 * A resource client that retries as the `retry` of a resource says: a request whose error message
 * matches one of `error_message_regex` is repeated after `interval_seconds`, then at growing
 * intervals up to `max_interval_seconds`, for at most half an hour.
 */
export function resourcesFor(
  { api, signal }: Context,
  from: ValueMap,
): Pick<Resources, 'get' | 'find' | 'put' | 'delete'> {
  const { resources, http } = api.resourceManager;
  const again = <T>(work: () => Promise<T>): Promise<T> =>
    withRetries(from, work, (milliseconds) => http.sleep(milliseconds, signal));
  return {
    get: (...call) => again(() => resources.get(...call)),
    find: (...call) => again(() => resources.find(...call)),
    put: (...call) => again(() => resources.put(...call)),
    delete: (...call) => again(() => resources.delete(...call)),
  };
}

/**
 * Retries a call as the `retry` of a resource says.
 *
 * @throws the last error, when it does not match or time is up.
 */
export async function withRetries<T>(
  from: ValueMap,
  work: () => Promise<T>,
  sleep: (milliseconds: number) => Promise<void>,
): Promise<T> {
  const retry = oneBlock(from, 'retry');
  if (retry === undefined) return work();
  const patterns = texts(retry, 'error_message_regex').map(goExpression);
  const growth = number(retry, 'multiplier') ?? defaults.growth;
  const spread = number(retry, 'randomization_factor') ?? defaults.spread;
  const longest = number(retry, 'max_interval_seconds') ?? defaults.longest;
  let interval = number(retry, 'interval_seconds') ?? defaults.interval;
  for (let elapsed = 0; ; interval = Math.min(interval * growth, longest)) {
    try {
      return await work();
    } catch (error) {
      if (
        elapsed >= maxRetryMs ||
        !isServiceError(error) ||
        !patterns.some((each) => each.test(messageOf(error)))
      )
        throw error;
    }
    const pause = interval * 1000 * (1 + spread * (2 * Math.random() - 1));
    await sleep(pause);
    elapsed += pause;
  }
}

/** The text that the expressions match: status, code and the whole body of the answer. */
function messageOf({ message, body }: ServiceError): string {
  return `${message}\n${typeof body === 'string' ? body : (JSON.stringify(body) ?? '')}`;
}

/** An expression in Go's syntax, with optional flags at the start, such as `(?i)`. */
function goExpression(text: string): RegExp {
  const [, flags = '', pattern = text] = /^\(\?([ims]+)\)(.*)$/s.exec(text) ?? [];
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProviderFailure(
      'Invalid configuration',
      `\`retry.error_message_regex\` ${JSON.stringify(text)}: ${reason}`,
      ['retry'],
    );
  }
}
