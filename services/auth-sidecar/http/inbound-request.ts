import { IncomingMessage } from 'node:http';

/**
 * A request as Node's server makes it, that may end with its head. Node takes each request through the whole life of a stream, which has
 * to be read to its end, end, be destroyed and close, each a moment later: where there is no body, nobody listens to any of it.
 */
export class InboundRequest extends IncomingMessage {
  /** Set on the prototype, so that making a request costs no more. */
  declare endedWithHead: boolean;

  /** From Node's parser; null: the request is whole. */
  override push(chunk: unknown): boolean {
    return this.endedWithHead && chunk === null ? false : super.push(chunk);
  }

  /** Node calls it when the answer was written, so that the rest of the request is read and thrown away. */
  _dump(): void {
    if (!this.endedWithHead) dump.call(this);
  }

  static {
    this.prototype.endedWithHead = false;
    const { get } = inherited(this.prototype, 'readableEnded');
    Object.defineProperty(this.prototype, 'readableEnded', {
      configurable: true,
      get(this: InboundRequest): boolean {
        return this.endedWithHead || Boolean(get?.call(this));
      },
    });
  }
}

/** To be said of a request without a body, as its head has it: it is over, whoever made it and in which version of Node. */
export function endWithHead(inbound: IncomingMessage): void {
  (inbound as InboundRequest).endedWithHead = true;
}

function inherited(prototype: object, name: string): PropertyDescriptor {
  for (let at: object | null = prototype; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const found = Object.getOwnPropertyDescriptor(at, name);
    if (found !== undefined) return found;
  }
  return {};
}

const dump = (IncomingMessage.prototype as unknown as { _dump(): void })._dump;
