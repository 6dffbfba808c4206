import { CastellanError } from '../../core/errors/castellan-error.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { Context, ResourceHandler, Provider } from '../handlers/handler.js';
import { markUnknown, planChange, PlannedChange } from '../planner/plan.js';
import { type ActualValues, newStateOf } from '../planner/new-state.js';
import {
  diagnosticMessage,
  type DynamicValueMessage,
  type Request,
  type Response,
} from '../protocol/messages.js';
import { typeOfBody } from '../schemas/schema-builders.js';
import type { Diagnostic, ResourceSchema, BlockSchema } from '../schemas/schema.js';
import { fromStateJson, type Json } from '../values/json.js';
import { equalValues } from '../values/equality.js';
import { encodeMessagePack, decodeMessagePack } from '../values/message-pack.js';
import { encodePath, isMap, type Value, type ValueMap } from '../values/value.js';
import { toDiagnostic, type Operation } from './diagnostic.js';
import { createOnce } from './create-once.js';
import {
  isInputChanged,
  secretNamesOf,
  withFingerprintOf,
  withSecretNames,
} from './private-state.js';
import type { CreationJournal } from './creation-journal.js';
import { secretTexts } from './secrets.js';

/**
 * Plan, apply, read, import and upgrade of any resource type, with the generic planner and its
 * handler.
 */
export class ResourceOperations {
  constructor(
    private readonly provider: Provider,
    private readonly createContext: (warnings: Diagnostic[]) => Context,
    private readonly creationJournal?: CreationJournal,
  ) {}

  /**
   * Migrates a state of any earlier version; unknown values are dropped, missing ones become null.
   */
  upgrade(schema: ResourceSchema, request: Request): Response {
    const rawState = parseRawState(request.rawState);
    const handler = this.findHandler(request.typeName);
    const version = Number(request.version ?? 0);
    if (version > schema.version)
      throw new CastellanError(
        'CAS3003',
        `the state of ${request.typeName} has version ${version}; this provider knows versions up to ${schema.version}`,
      );
    const state =
      version < schema.version && handler.upgrade !== undefined
        ? handler.upgrade(version, rawState)
        : rawState;
    return {
      upgradedState: encode(fromStateJson(state as Json, typeOfBody(schema)), schema),
      diagnostics: [],
    };
  }

  /** Plans a change: by the schema, then by the rules of the type's handler. */
  async plan(schema: ResourceSchema, request: Request): Promise<Response> {
    const { sdk } = this.provider.schema;
    const prior = decodeObject(request.priorState, schema);
    const config = decodeObject(request.config, schema);
    const plannedPrivate = request.priorPrivate ?? Buffer.alloc(0);
    if (config === undefined || decodeObject(request.proposedNewState, schema) === undefined)
      return { plannedState: encode(null, schema), plannedPrivate, diagnostics: [] };
    await this.creationJournal?.closeCreationOf(request.typeName, prior?.['id']);
    const genericPlan = planChange(schema, sdk, {
      config,
      ...omitUndefined({ prior }),
    });
    const handler = this.findHandler(request.typeName);
    const change = new PlannedChange(
      sdk,
      config,
      prior,
      genericPlan.planned,
      genericPlan.requiresReplace,
      prior !== undefined &&
        handler.unstoredInput !== undefined &&
        isInputChanged(plannedPrivate, handler.unstoredInput(config)),
    );
    try {
      if (handler.plan !== undefined)
        await handler.plan({ ...this.createContext(change.diagnostics), change });
    } catch (error) {
      change.diagnostics.push(toDiagnostic(error, 'plan', request.typeName));
    }
    // a rule of the handler may have added a change
    const isChange = prior !== undefined && !equalValues(change.planned, prior, typeOfBody(schema));
    if (isChange) change.planned = markUnknown(schema, config, change.planned);
    const secrets = secretTexts(schema, config, prior);
    return {
      plannedState: encode(change.planned, schema),
      requiresReplace: change.requiresReplace.map(encodePath),
      plannedPrivate,
      legacyTypeSystem: sdk === 'sdkv2',
      diagnostics: change.diagnostics.map((each) => diagnosticMessage(each, secrets)),
    };
  }

  /** Creates, updates or deletes a resource as planned. */
  async apply(schema: ResourceSchema, request: Request): Promise<Response> {
    const { sdk } = this.provider.schema;
    const prior = decodeObject(request.priorState, schema);
    const planned = decodeObject(request.plannedState, schema);
    const config = decodeObject(request.config, schema) ?? {};
    const handler = this.findHandler(request.typeName);
    const diagnostics: Diagnostic[] = [];
    const secrets = secretTexts(schema, prior, planned, config);
    let operation: Operation = 'update';
    if (planned === undefined) operation = 'delete';
    else if (prior === undefined) operation = 'create';
    let createdValues: ActualValues | undefined;
    let privateData: Uint8Array = request.plannedPrivate ?? Buffer.alloc(0);
    const response = (state: ValueMap | null): Response => ({
      newState: encode(state, schema),
      private: privateData,
      legacyTypeSystem: sdk === 'sdkv2',
      diagnostics: diagnostics.map((each) => diagnosticMessage(each, secrets)),
    });
    try {
      if (handler.secretNames !== undefined)
        privateData = withSecretNames(privateData, handler.secretNames(config));
      const context = {
        ...this.createContext(diagnostics),
        secretNames: secretNamesOf(privateData),
      };
      if (planned === undefined) {
        if (prior !== undefined) await handler.delete({ ...context, state: prior });
        return response(null);
      }
      const reportCreated = (state: ActualValues): void => void (createdValues = state);
      const creation = { schema, typeName: request.typeName, handler, context, planned, config };
      const newState =
        prior === undefined
          ? await createOnce({ ...creation, sdk, reportCreated }, this.creationJournal)
          : newStateOf(
              schema,
              sdk,
              planned,
              await (handler.update ?? changeNothing)({ ...context, prior, planned, config }),
            );
      if (handler.unstoredInput !== undefined)
        privateData = withFingerprintOf(privateData, handler.unstoredInput(config));
      return response(newState);
    } catch (error) {
      diagnostics.push(toDiagnostic(error, operation, request.typeName));
      if (operation === 'create')
        return response(
          createdValues === undefined ? null : newStateOf(schema, sdk, planned, createdValues),
        );
      return response(prior ?? null);
    }
  }

  /** Reads a resource; its state is null if it is gone. */
  async read(schema: ResourceSchema, request: Request): Promise<Response> {
    const { sdk } = this.provider.schema;
    const state = decodeObject(request.currentState, schema) ?? {};
    const diagnostics: Diagnostic[] = [];
    await this.creationJournal?.closeCreationOf(request.typeName, state['id']);
    try {
      const actual = await this.findHandler(request.typeName).read({
        ...this.createContext(diagnostics),
        secretNames: secretNamesOf(request.private ?? Buffer.alloc(0)),
        state,
      });
      const newState = actual === undefined ? null : newStateOf(schema, sdk, state, actual);
      return {
        newState: encode(newState, schema),
        private: request.private ?? Buffer.alloc(0),
        diagnostics: diagnostics.map((each) => diagnosticMessage(each)),
      };
    } catch (error) {
      diagnostics.push(toDiagnostic(error, 'read', request.typeName));
      const secrets = secretTexts(schema, state);
      return {
        newState: request.currentState,
        private: request.private ?? Buffer.alloc(0),
        diagnostics: diagnostics.map((each) => diagnosticMessage(each, secrets)),
      };
    }
  }

  /** The state from which an imported resource is read. */
  import(schema: ResourceSchema, request: Request): Response {
    const handler = this.findHandler(request.typeName);
    const id = request.id ?? '';
    try {
      if (handler.import === undefined)
        throw new CastellanError('CAS3004', `${request.typeName} can't be imported`);
      const importedState = newStateOf(schema, this.provider.schema.sdk, undefined, {
        ...this.importDefaults(schema),
        ...handler.import(id),
      });
      return {
        importedResources: [
          {
            typeName: request.typeName,
            state: encode(importedState, schema),
            private: Buffer.alloc(0),
          },
        ],
      };
    } catch (error) {
      return { diagnostics: [diagnosticMessage(toDiagnostic(error, 'import', request.typeName))] };
    }
  }

  /** The state from which a resource is read that was one of another type (`moved`). */
  move(schema: ResourceSchema, request: Request): Response {
    const { sourceTypeName = '', targetTypeName = '' } = request;
    try {
      const { moveFrom } = this.findHandler(targetTypeName);
      if (moveFrom === undefined)
        throw new CastellanError(
          'CAS3004',
          `${sourceTypeName} can't be moved to ${targetTypeName}: declare it as new, or import it`,
        );
      const sourceState = parseRawState(request.sourceState);
      const state = newStateOf(
        schema,
        this.provider.schema.sdk,
        undefined,
        moveFrom(sourceTypeName, sourceState),
      );
      return { targetState: encode(state, schema), targetPrivate: Buffer.alloc(0) };
    } catch (error) {
      return { diagnostics: [diagnosticMessage(toDiagnostic(error, 'move', targetTypeName))] };
    }
  }

  /**
   * At import, official providers built with SDKv2 set attributes that only the configuration
   * knows to their default; those of the framework leave null.
   */
  private importDefaults(schema: ResourceSchema): ActualValues {
    if (this.provider.schema.sdk !== 'sdkv2') return {};
    const defaults = Object.entries(schema.attributes).filter(
      ([, attribute]) => attribute.default !== undefined,
    );
    return Object.fromEntries(
      defaults.map(([name, attribute]): [string, Value] => [name, attribute.default ?? null]),
    );
  }

  private findHandler(typeName: string): ResourceHandler {
    const handler = this.provider.resources[typeName];
    if (handler === undefined)
      throw new CastellanError('CAS3001', `resource ${typeName} is not served by this provider`);
    return handler;
  }
}

/**
 * A type without an update: only values that the service does not store (timeouts) can change in
 * place.
 */
function changeNothing(): Promise<ActualValues> {
  return Promise.resolve({});
}

function parseRawState(state: Request['rawState']): Record<string, unknown> {
  const text = Buffer.from(state?.json ?? Buffer.from('{}')).toString('utf8');
  return JSON.parse(text) as Record<string, unknown>;
}

function encode(value: Value, schema: ResourceSchema): DynamicValueMessage {
  return { msgpack: encodeMessagePack(value, typeOfBody(schema)) };
}

/** Reads an object in a message; undefined if it is null. */
export function decodeObject(
  message: DynamicValueMessage | undefined | null,
  body: BlockSchema,
): ValueMap | undefined {
  if (message?.msgpack === undefined || message.msgpack.length === 0) return undefined;
  const value = decodeMessagePack(message.msgpack, typeOfBody(body));
  return isMap(value) ? value : undefined;
}
