/** An application registration, of this stack or not. */
export interface IRegistration {
  /** The client id. */
  readonly clientId: string;
}
