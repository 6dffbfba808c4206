import { CastellanError } from '../../core/errors/castellan-error.js';
import { nearest } from '../../core/text/nearest.js';
import type { Api, Provider } from '../handlers/handler.js';
import { validateConfig } from '../planner/validate.js';
import {
  diagnosticMessage,
  type Request,
  type Response,
  schemaMessage,
} from '../protocol/messages.js';
import { typeOfBody } from '../schemas/schema-builders.js';
import type { BlockSchema, Diagnostic, ResourceSchema } from '../schemas/schema.js';
import { decodeMessagePack, encodeMessagePack } from '../values/message-pack.js';
import type { Value, ValueMap } from '../values/value.js';
import type { CreationJournal } from './creation-journal.js';
import { decodeObject, ResourceOperations } from './resource-operations.js';
import { type Operation, toDiagnostic } from './diagnostic.js';
import { secretTexts } from './secrets.js';

/** A log line: the operation and its duration, never a value. */
export type Log = (line: {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
}) => void;

/** How an interrupted run affects running calls. */
export type InterruptionMode = 'finish' | 'abort';

type Method = (request: Request) => Promise<Response> | Response;

/**
 * Answers the calls of plugin protocol 6 for one provider. Every failure becomes a diagnostic,
 * never a broken call.
 */
export class ProviderServer {
  private api: Api | undefined;
  private config: ValueMap = {};
  private interruption = new AbortController();
  private readonly methodsByName: Readonly<Record<string, Method>>;

  constructor(
    readonly provider: Provider,
    private readonly log: Log = () => undefined,
    private readonly creationJournal?: CreationJournal,
    private readonly interruptionMode: InterruptionMode = 'finish',
  ) {
    this.methodsByName = this.methods();
  }

  /** The names of the methods that are answered. */
  get methodNames(): readonly string[] {
    return Object.keys(this.methodsByName);
  }

  private methods(): Readonly<Record<string, Method>> {
    const { schema } = this.provider;
    const capabilities = capabilitiesOf(this.provider);
    const operations = new ResourceOperations(
      this.provider,
      (warnings) => this.context(warnings),
      this.creationJournal,
    );
    return {
      GetMetadata: () => ({
        serverCapabilities: capabilities,
        resources: Object.keys(schema.resources).map((typeName) => ({ typeName })),
        dataSources: Object.keys(schema.dataSources).map((typeName) => ({ typeName })),
        functions: Object.keys(this.provider.functions ?? {}).map((name) => ({ name })),
      }),
      GetProviderSchema: () => schemaAnswer(this.provider),
      GetResourceIdentitySchemas: () => ({}),
      GetFunctions: () => ({
        functions: mapValues(this.provider.functions ?? {}, ({ signature }) => signature),
      }),
      CallFunction: (request) => this.callFunction(request),
      ValidateProviderConfig: (request) => this.validate(schema.config, request),
      ValidateResourceConfig: (request) =>
        this.validate(this.findSchema('resources', request.typeName), request),
      ValidateDataResourceConfig: (request) =>
        this.validate(this.findSchema('dataSources', request.typeName), request),
      ConfigureProvider: (request) => this.configure(request),
      UpgradeResourceState: (request) =>
        operations.upgrade(this.findSchema('resources', request.typeName), request),
      PlanResourceChange: (request) =>
        operations.plan(this.findSchema('resources', request.typeName), request),
      ApplyResourceChange: (request) =>
        operations.apply(this.findSchema('resources', request.typeName), request),
      ReadResource: (request) =>
        operations.read(this.findSchema('resources', request.typeName), request),
      ImportResourceState: (request) =>
        operations.import(this.findSchema('resources', request.typeName), request),
      MoveResourceState: (request) =>
        operations.move(this.findSchema('resources', request.targetTypeName ?? ''), request),
      ReadDataSource: (request) =>
        this.readDataSource(this.findSchema('dataSources', request.typeName), request),
      StopProvider: () => {
        this.interrupt();
        return {};
      },
    };
  }

  /** Answers one call; a failure becomes a diagnostic. */
  async call(name: string, request: Request): Promise<Response> {
    const startTime = performance.now();
    const method = this.methodsByName[name];
    try {
      if (method === undefined)
        throw new CastellanError('CAS3001', `this provider has no method ${name}`);
      return await method(request);
    } catch (error) {
      this.log({
        level: 'error',
        message: `${name} ${request.typeName}: ${error instanceof Error ? error.name : 'failure'}`,
      });
      return {
        diagnostics: [
          diagnosticMessage(
            toDiagnostic(error, operationsByMethod[name] ?? 'plan', request.typeName),
          ),
        ],
      };
    } finally {
      this.log({
        level: 'debug',
        message: `${name} ${request.typeName} ${Math.round(performance.now() - startTime)} ms`,
      });
    }
  }

  /**
   * Terraform was interrupted. A provider shared with other runs lets its short calls finish; a
   * launched one aborts its waits.
   */
  private interrupt(): void {
    if (this.interruptionMode === 'finish') return;
    this.interruption.abort(new Error('Terraform was interrupted'));
    this.interruption = new AbortController();
  }

  private findSchema(kind: 'resources' | 'dataSources', typeName: string): ResourceSchema {
    const schemas = this.provider.schema[kind];
    const schema = schemas[typeName];
    if (schema !== undefined) return schema;
    const suggestion = nearest(typeName, Object.keys(schemas));
    const what = kind === 'resources' ? 'resource' : 'data source';
    const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
    throw new CastellanError(
      'CAS3001',
      `${what} ${typeName} is not served by this provider.${hint}`,
    );
  }

  private validate(schema: BlockSchema, request: Request): Response {
    const config = decodeObject(request.config, schema);
    const diagnostics =
      config === undefined ? [] : validateConfig(schema, this.provider.schema.sdk, config);
    return { diagnostics: diagnostics.map((each) => diagnosticMessage(each)) };
  }

  private async configure(request: Request): Promise<Response> {
    this.config = decodeObject(request.config, this.provider.schema.config) ?? {};
    this.creationJournal?.startRun();
    try {
      this.api = await this.provider.connect(this.config);
      return {};
    } catch (error) {
      return {
        diagnostics: [
          diagnosticMessage(
            toDiagnostic(error, 'configure', 'provider'),
            secretTexts(this.provider.schema.config, this.config),
          ),
        ],
      };
    }
  }

  private context(warnings: Diagnostic[]): {
    api: Api;
    providerConfig: ValueMap;
    signal: AbortSignal;
    warn: (diagnostic: Omit<Diagnostic, 'severity'>) => void;
  } {
    if (this.api === undefined)
      throw new CastellanError('CAS3002', 'Terraform used the provider before it was configured');
    return {
      api: this.api,
      providerConfig: this.config,
      signal: this.interruption.signal,
      warn: (diagnostic) => warnings.push({ severity: 'warning', ...diagnostic }),
    };
  }

  private async readDataSource(schema: ResourceSchema, request: Request): Promise<Response> {
    const type = typeOfBody(schema);
    const config = decodeObject(request.config, schema) ?? {};
    const diagnostics: Diagnostic[] = [];
    const handler = this.provider.dataSources[request.typeName];
    try {
      if (handler === undefined)
        throw new CastellanError(
          'CAS3001',
          `data source ${request.typeName} is not served by this provider`,
        );
      const attributes = await handler({ ...this.context(diagnostics), config });
      const state = {
        ...withDefaults(schema, config),
        ...Object.fromEntries(
          Object.entries(attributes).filter(([, value]) => value !== undefined),
        ),
      } as ValueMap;
      return {
        state: { msgpack: encodeMessagePack(state, type) },
        diagnostics: diagnostics.map((each) => diagnosticMessage(each)),
      };
    } catch (error) {
      const secrets = secretTexts(schema, config);
      return {
        diagnostics: [...diagnostics, toDiagnostic(error, 'read', `data.${request.typeName}`)].map(
          (each) => diagnosticMessage(each, secrets),
        ),
      };
    }
  }

  private callFunction(request: Request): Response {
    const providerFunction = this.provider.functions?.[request.name ?? ''];
    if (providerFunction === undefined)
      return { error: { text: `there is no function ${request.name ?? ''}` } };
    const parameters = [...(providerFunction.signature['parameters'] as { type: Buffer }[])];
    const variadic = providerFunction.signature['variadicParameter'] as
      { type: Buffer } | undefined;
    const args = (request.arguments ?? []).map((each, index) =>
      decodeMessagePack(
        each.msgpack ?? new Uint8Array([0xc0]),
        JSON.parse(String((parameters[index] ?? variadic)?.type)) as 'string',
      ),
    );
    try {
      return {
        result: {
          msgpack: encodeMessagePack(
            providerFunction.call(args),
            JSON.parse(
              String((providerFunction.signature['return'] as { type: Buffer }).type),
            ) as 'string',
          ),
        },
      };
    } catch (error) {
      return { error: { text: error instanceof Error ? error.message : String(error) } };
    }
  }
}

const schemaAnswers = new WeakMap<Provider['schema'], Response>();

/**
 * All schemas of a provider: every Terraform command asks for them, each on a connection of its own,
 * and gets the same answer, which is encoded once.
 */
function schemaAnswer({ schema, resources, functions = {} }: Provider): Response {
  const knownAnswer = schemaAnswers.get(schema);
  if (knownAnswer !== undefined) return knownAnswer;
  const answer = {
    provider: schemaMessage(schema.config),
    resourceSchemas: mapValues(schema.resources, schemaMessage),
    dataSourceSchemas: mapValues(schema.dataSources, schemaMessage),
    functions: mapValues(functions, ({ signature }) => signature),
    serverCapabilities: capabilitiesOf({ resources }),
  };
  schemaAnswers.set(schema, answer);
  return answer;
}

/** What a call was about; failures of the other methods are worded as those of a plan. */
const operationsByMethod: Readonly<Record<string, Operation>> = {
  ConfigureProvider: 'configure',
  UpgradeResourceState: 'upgrade',
  ReadResource: 'read',
  ReadDataSource: 'read',
  ImportResourceState: 'import',
  MoveResourceState: 'move',
};

function capabilitiesOf({
  resources,
}: Pick<Provider, 'resources'>): Readonly<Record<string, boolean>> {
  return {
    planDestroy: true,
    getProviderSchemaOptional: true,
    moveResourceState: Object.values(resources).some(({ moveFrom }) => moveFrom !== undefined),
    generateResourceConfig: false,
  };
}

function withDefaults(schema: BlockSchema, config: ValueMap): ValueMap {
  const entries = Object.entries(schema.attributes).map(
    ([name, { default: value }]): [string, Value] => [
      name,
      (config[name] ?? null) === null ? (value ?? null) : (config[name] ?? null),
    ],
  );
  return { ...config, ...Object.fromEntries(entries) };
}

function mapValues<A, B>(
  from: Readonly<Record<string, A>>,
  change: (value: A) => B,
): Record<string, B> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, change(value)]));
}
