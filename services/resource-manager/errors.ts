/** An answer in the resource manager's error envelope: `{"error": {"code", "message"}}`. */
export class ArmError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'ArmError';
  }

  /** The body of the answer. */
  toBody(): { error: { code: string; message: string } } {
    return { error: { code: this.code, message: this.message } };
  }
}

/** 400: the request says something that isn't allowed. */
export function badRequest(code: string, message: string): ArmError {
  return new ArmError(400, code, message);
}

/** 409: what is asked for clashes with what exists. */
export function conflict(code: string, message: string): ArmError {
  return new ArmError(409, code, message);
}

/** 404 for a resource of a group. */
export function resourceNotFound(type: string, name: string, group: string): ArmError {
  return new ArmError(404, 'ResourceNotFound', `The Resource '${type}/${name}' under resource group '${group}' was not found.`);
}

/** 404 for a group. */
export function groupNotFound(group: string): ArmError {
  return new ArmError(404, 'ResourceGroupNotFound', `Resource group '${group}' could not be found.`);
}
