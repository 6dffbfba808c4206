/** A live container app. */
export interface LiveApp {
  /** Its id in the resource manager: `/subscriptions/…`. */
  readonly id: string;
  readonly name: string;
}

/** A live registration, as the directory has it. */
export interface LiveRegistration {
  /** The object id, not the client id (`appId`). */
  readonly id: string;
  readonly [property: string]: unknown;
}

/** What live rules read of apps and registrations; what the caller may not read is undefined. */
export interface LiveAppsReader {
  /** The apps of the subscription. */
  apps(): Promise<readonly LiveApp[] | undefined>;
  /** The `properties` of an app's sign-in settings; empty if it has none. */
  auth(appId: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** The registrations of a display name. */
  registrations(displayName: string): Promise<readonly LiveRegistration[] | undefined>;
}
