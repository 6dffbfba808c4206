import { setAtPath, valueAtPath } from '../../../../kinds/schema/path-steps.js';
import type { ValueFormat } from '../../../schemas/body-place.js';
import type { Value } from '../../../values/value.js';
import type { BodyField } from '../../body-fields.js';

type Conversions = Pick<BodyField, 'toBody' | 'toState' | 'rawToState'>;

const gibibyte = 2 ** 30;

/** The service's words for the tiers in names such as `GP_Standard_D2s_v3`. */
const tiers = { B: 'Burstable', GP: 'GeneralPurpose', MO: 'MemoryOptimized' } as const;

const conversionsByFormat: Readonly<Record<Exclude<ValueFormat, object>, Conversions>> = {
  not: { toBody: (value) => value !== true, toState: (value) => value !== true },
  Enabled: {
    toBody: (value) => (value === true ? 'Enabled' : 'Disabled'),
    toState: (value) => value === 'Enabled',
  },
  enabled: {
    toBody: (value) => (value === true ? 'enabled' : 'disabled'),
    toState: (value) => value === 'enabled',
  },
  host: { toState: (value) => (URL.canParse(String(value)) ? new URL(String(value)).host : '') },
  commas: separatedList(', '),
  semicolons: separatedList(';'),
  epoch: {
    toBody: (value) => Math.floor(Date.parse(String(value)) / 1000),
    toState: (value) => new Date(Number(value) * 1000).toISOString().replace('.000Z', 'Z'),
  },
  number: { toBody: Number, toState: String },
  gibibytes: {
    toBody: (value) => Number(value) * gibibyte,
    toState: (value) => Number(value) / gibibyte,
  },
  // The body has gibibytes.
  mebibytes: { toBody: (value) => Number(value) / 1024, toState: (value) => Number(value) * 1024 },
  oneOfList: {
    toBody: (value) => [value],
    toState: (value) => (Array.isArray(value) ? value.join('') : value),
  },
  flexibleSku: {
    toBody(value) {
      const [short = '', ...name] = String(value).split('_');
      return { name: name.join('_'), tier: tiers[short as keyof typeof tiers] };
    },
    rawToState(answer) {
      const tier = Object.entries(tiers).find(([, long]) => long === valueAtPath(answer, ['tier']));
      return `${tier?.[0] ?? ''}_${String(valueAtPath(answer, ['name']))}`;
    },
  },
};

/** Conversions between a value of the configuration and that of the body. */
export function conversionsOf(format: ValueFormat | undefined): Conversions {
  if (format === undefined) return {};
  if (typeof format === 'string') return conversionsByFormat[format];
  if ('each' in format) return listOfObjects(format.each.split('.'));
  if ('member' in format)
    return {
      toBody: (value) => (value === true ? [format.member] : []),
      rawToState: (answer) => Array.isArray(answer) && answer.includes(format.member),
    };
  const words = Object.entries(format.words);
  return {
    toBody: (value) => format.words[String(value)] ?? value,
    toState: (value) => words.find(([, bodyWord]) => bodyWord === value)?.[0] ?? value,
  };
}

function separatedList(separator: string): Conversions {
  return {
    toBody: (value) => (value as readonly string[]).join(separator),
    toState: (value) =>
      String(value)
        .split(separator.trim())
        .map((each) => each.trim())
        .filter((each) => each !== ''),
  };
}

/** Texts that are objects in the body; those with their text below `properties` also have a name. */
function listOfObjects(path: readonly string[]): Conversions {
  return {
    toBody: (value) =>
      (value as readonly string[]).map((each) => {
        const entry: Record<string, unknown> =
          path.length > 1 ? { name: each.split('/').at(-1) } : {};
        setAtPath(entry, path, each);
        return entry;
      }),
    rawToState: (answer) =>
      Array.isArray(answer)
        ? answer
            .map((each): Value => valueAtPath(each, path) as Value)
            .filter((each) => typeof each === 'string')
        : [],
  };
}
