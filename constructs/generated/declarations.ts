// Written by scripts/construct-props.ts from the schemas of castellan.yaml; a test holds the two together (UPDATE_DOCS=1 writes it).
import type { SecretReference } from '../../kinds/index.js';
import type { OtherNode } from '../items/other-node.js';

/** Who already exists in the directory. */
export interface PrincipalDeclaration {
  /** A user, by user principal name or object id. */
  readonly user?: string;
  /** A service principal, by display name or object id. */
  readonly servicePrincipal?: string;
  /** A device, by display name or object id. */
  readonly device?: string;
  /** An organizational contact, by mail address or object id. */
  readonly contact?: string;
  /** A group that this stack does not manage, by display name or object id. */
  readonly group?: string;
  /** The kind of an existing group, where its members or holders depend on it. */
  readonly groupKind?: 'security' | 'unified';
}

/** An application registration of the directory, for signing in. */
export interface RegistrationDeclaration {
  /** The name that people see when they sign in. At most 256 characters. */
  readonly displayName: string;
  /** What the registration is for. At most 1024 characters. */
  readonly description?: string;
  /** Who may sign in. The sign-in layer needs the home tenant. @default "AzureADMyOrg" */
  readonly signInAudience?: 'AzureADMyOrg' | 'AzureADMultipleOrgs' | 'AzureADandPersonalMicrosoftAccount' | 'PersonalMicrosoftAccount';
  /** Whether ID tokens are issued; the sign-in layer needs them. @default true */
  readonly idTokens?: boolean;
  /** Whether access tokens are issued by the implicit flow. @default false */
  readonly accessTokens?: boolean;
  /** Web redirect URIs besides those of the apps that use the registration, which are added by themselves. At most 256. */
  readonly redirectUris?: readonly string[];
  /** The address that the directory calls when someone signs out. At most 255 characters. */
  readonly logoutUrl?: string;
  /** The application's home page. */
  readonly homepageUrl?: string;
  /** Owners by principal name. At most 100. */
  readonly owners?: readonly string[];
  /** The client secret of the registration. */
  readonly secret?: {
    /** What the directory shows the secret as. At most 120 characters. */
    readonly displayName?: string;
    /** When the secret ends: ISO 8601 in UTC without fractions, such as 2027-05-01T00:00:00Z. */
    readonly expires?: string;
    /** Any word; when it changes, a new secret is made before the old one is removed. */
    readonly rotation?: string;
  };
  /** Whether only principals with an assignment may sign in. @default false */
  readonly assignmentRequired?: boolean;
  /** Which groups tokens name. */
  readonly groupMembershipClaims?: readonly ('All' | 'None' | 'ApplicationGroup' | 'DirectoryRole' | 'SecurityGroup')[];
  /** The URIs that name the API. */
  readonly identifierUris?: readonly string[];
  /** Roles that the application defines. */
  readonly appRoles?: readonly {
    /** The id of the role; it must never change. */
    readonly id: string;
    /** The name of the role. */
    readonly displayName: string;
    /** What who holds the role may do. */
    readonly description: string;
    /** The word in the `roles` claim. */
    readonly value?: string;
    /** Who may hold the role. */
    readonly allowedMemberTypes: readonly ('User' | 'Application')[];
    /** Whether the role can be given. @default true */
    readonly enabled?: boolean;
  }[];
  /** Permission scopes of the API that the registration exposes. */
  readonly scopes?: readonly {
    /** The id of the scope; it must never change. */
    readonly id: string;
    /** The word in the `scp` claim. */
    readonly value: string;
    /** What an administrator is asked for. */
    readonly adminConsentDisplayName: string;
    /** What consent allows. */
    readonly adminConsentDescription: string;
    /** What a user is asked for. */
    readonly userConsentDisplayName?: string;
    /** What consent of a user allows. */
    readonly userConsentDescription?: string;
    /** Who may consent. */
    readonly type?: 'User' | 'Admin';
    /** Whether the scope can be asked for. @default true */
    readonly enabled?: boolean;
  }[];
  /** Permissions asked of other APIs. */
  readonly requiredPermissions?: readonly {
    /** The application id of the API. */
    readonly resourceAppId: string;
    /** Application permissions, by id. */
    readonly roles?: readonly string[];
    /** Delegated permissions, by id. */
    readonly scopes?: readonly string[];
  }[];
  /** Notes for the people who manage the registration. At most 1024 characters. */
  readonly notes?: string;
  /** Tags of the application. */
  readonly tags?: readonly string[];
}

/** An environment that container apps run in. */
export interface EnvironmentDeclaration {
  /** The environment's name in the cloud. At most 60 characters. */
  readonly name?: string;
  /** A log workspace for the environment. */
  readonly logs?: {
    /** For how many days logs are kept. From 30 to 730. */
    readonly retentionInDays?: number;
  };
  /** Tags of the resource. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** A container app. */
export interface ContainerAppDeclaration {
  /** The app's name in the cloud. Default: its name in this file. At most 32 characters. */
  readonly name?: string;
  /** The environment that the app runs in. Default: the one of the stack. */
  readonly environment?: string;
  /** The container image. */
  readonly image: string;
  /** The port that the app listens on. From 1 to 65535. */
  readonly targetPort?: number;
  /** The command, in place of that of the image. */
  readonly command?: readonly string[];
  /** Arguments, in place of those of the image. */
  readonly args?: readonly string[];
  /** Cores: 0.25 to 4 in steps of 0.25. From 0.25 to any. @default 0.25 */
  readonly cpu?: number;
  /** Memory, twice the cores: 0.5Gi for 0.25 cores. */
  readonly memory?: string;
  /** How many replicas run. */
  readonly replicas?: {
    /** The fewest replicas. From 0 to 300. */
    readonly min?: number;
    /** The most replicas. From 1 to 300. */
    readonly max?: number;
    /** Seconds of quiet before the last replicas go. From 1 to 3600. */
    readonly cooldownSeconds?: number;
    /** Seconds between two looks at the scale rules. From 1 to any. */
    readonly pollingSeconds?: number;
    /** How many requests at once one replica is for. From 1 to any. */
    readonly concurrentRequests?: number;
  };
  /** The container's environment: text, or `{ secret: name }` for one of the app's secrets. */
  readonly env?: Readonly<Record<string, string | {
    /** The name of one of the app's secrets. */
    readonly secret: string;
  }>>;
  /** The secrets of the app by name: where each comes from, never the secret itself. */
  readonly secrets?: Readonly<Record<string, SecretReference>>;
  /** Registries that images are pulled from. */
  readonly registries?: readonly {
    /** The host of the registry, such as ghcr.io. */
    readonly server: string;
    /** The user name. */
    readonly username?: string;
    /** Where the secret comes from, never the secret itself: `${env:NAME}`, `secret:NAME` (a secret of the same app) or `keyvault:URL`. */
    readonly password?: SecretReference;
    /** `system`, or the resource id of an identity of the app, in place of a password. */
    readonly identity?: string;
  }[];
  /** How the platform learns how the app is. */
  readonly probes?: {
    /** Whether the container still lives; else it is started again. */
    readonly liveness?: ProbeDeclaration;
    /** Whether the container can take requests. */
    readonly readiness?: ProbeDeclaration;
    /** Whether the container has started; the others wait for it. */
    readonly startup?: ProbeDeclaration;
  };
  /** Which requests reach the app. */
  readonly ingress?: {
    /** Whether the app is reached from outside its environment. @default false */
    readonly external?: boolean;
    /** Whether plain HTTP is served. Must be false with `auth`. @default false */
    readonly allowInsecure?: boolean;
    /** The protocol that the app speaks. @default "auto" */
    readonly transport?: 'auto' | 'http' | 'http2' | 'tcp';
    /** The port on the outside, for transport tcp. From 1 to 65535. */
    readonly exposedPort?: number;
    /** Whether clients show a certificate. */
    readonly clientCertificateMode?: 'require' | 'accept' | 'ignore';
    /** Address ranges that may, or may not, reach the app. */
    readonly ipRestrictions?: readonly {
      /** The name of the rule. */
      readonly name: string;
      /** What the rule is for. */
      readonly description?: string;
      /** All rules of an app have the same action. */
      readonly action: 'allow' | 'deny';
      /** An address range such as 203.0.113.0/24. */
      readonly range: string;
    }[];
    readonly cors?: {
      /** Origins that may call. */
      readonly allowedOrigins: readonly string[];
      /** Methods that may be used. */
      readonly allowedMethods?: readonly string[];
      /** Headers that may be sent. */
      readonly allowedHeaders?: readonly string[];
      /** Headers that may be read. */
      readonly exposedHeaders?: readonly string[];
      /** Whether credentials may be sent. @default false */
      readonly allowCredentials?: boolean;
      /** For how long an answer to a preflight is good. From 0 to any. */
      readonly maxAgeInSeconds?: number;
    };
  };
  /** The revisions of the app. */
  readonly revision?: {
    /** Whether one revision runs, or several. @default "single" */
    readonly mode?: 'single' | 'multiple';
    /** The end of the name of the revision. At most 54 characters. */
    readonly suffix?: string;
    /** How many inactive revisions are kept. From 0 to 100. */
    readonly maxInactive?: number;
    /** How traffic is split between revisions. */
    readonly traffic?: readonly {
      /** The share of the latest revision. */
      readonly latest?: boolean;
      /** The suffix of the revision that gets the share. At most 54 characters. */
      readonly revision?: string;
      /** The share in per cent; all shares add up to 100. From 0 to 100. */
      readonly weight: number;
      /** A label under which the revision is reached by itself. At most 63 characters. */
      readonly label?: string;
    }[];
  };
  /** The managed identities of the app. */
  readonly identity?: {
    /** Whether the app has an identity of its own. @default false */
    readonly systemAssigned?: boolean;
    /** Identities that exist already, by resource id. */
    readonly userAssigned?: readonly string[];
  };
  /** The environment's workload profile to run on. */
  readonly workloadProfile?: string;
  /** Seconds that a replica has to end. From 0 to 600. */
  readonly terminationGracePeriodSeconds?: number;
  /** The built-in sign-in layer of the app. */
  readonly auth?: {
    /** Whether the layer runs. @default true */
    readonly enabled?: boolean;
    /** The layer's version, such as ~1. */
    readonly runtimeVersion?: string;
    /** Whether unauthenticated requests are rejected or passed to the app. @default "requireAuthentication" */
    readonly restrictAccess?: 'requireAuthentication' | 'allowUnauthenticated';
    /** What an unauthenticated request gets when access is restricted. */
    readonly unauthenticatedAction?: 'redirectToLogin' | 'return401' | 'return403' | 'allowAnonymous';
    /** The provider to send unauthenticated browsers to. */
    readonly redirectTo?: string;
    /** Paths that need no sign-in. */
    readonly excludedPaths?: readonly string[];
    /** Whether plain HTTP is turned away. @default true */
    readonly requireHttps?: boolean;
    /** The identity providers that people may sign in with. */
    readonly providers: {
      /** The directory identity platform. */
      readonly directory?: {
        /** Whether the provider is offered. @default true */
        readonly enabled?: boolean;
        /** The registration of this stack to sign in with. Or give `clientId`. */
        readonly registration?: string;
        /** The client id that the provider gave. */
        readonly clientId?: string;
        /** Where the secret comes from, never the secret itself: `${env:NAME}`, `secret:NAME` (a secret of the same app) or `keyvault:URL`. */
        readonly clientSecret?: SecretReference;
        /** A certificate in place of a client secret. */
        readonly clientSecretCertificate?: {
          /** The certificate's thumbprint. */
          readonly thumbprint?: string;
          /** The certificate's issuer. */
          readonly issuer?: string;
          /** The certificate's subject alternative name. */
          readonly subjectAlternativeName?: string;
        };
        /** The tenant whose people sign in. Default: the tenant of `azure`. */
        readonly tenantId?: string;
        /** The OpenID issuer, where it is not that of the tenant. */
        readonly issuer?: string;
        /** Audiences that tokens may carry besides the client id. */
        readonly allowedAudiences?: readonly string[];
        /** Only members of these groups get in: groups of this stack by name, or object ids. At most 200. */
        readonly allowedGroups?: readonly string[];
        /** Only these users and service principals get in. */
        readonly allowedPrincipals?: readonly string[];
        /** Only these client applications may call with a token (default policy). */
        readonly allowedApplications?: readonly string[];
        /** Client applications that tokens may have been issued to (claim check). */
        readonly allowedClientApplications?: readonly string[];
        /** Groups of which the `groups` claim of a token must name one (claim check). At most 200. */
        readonly claimGroups?: readonly string[];
        /** Parameters of the sign-in request, each `key=value`. */
        readonly loginParameters?: readonly string[];
        /** Whether 401 answers leave out the WWW-Authenticate header. @default false */
        readonly disableWwwAuthenticate?: boolean;
      };
      /** A provider with a client id and a client secret. */
      readonly personal?: ClientProviderDeclaration;
      /** A provider with a client id and a client secret. */
      readonly search?: ClientProviderDeclaration;
      /** The social network provider. */
      readonly social?: {
        /** Whether the provider is offered. @default true */
        readonly enabled?: boolean;
        /** The app id that the provider gave. */
        readonly appId: string;
        /** Where the secret comes from, never the secret itself: `${env:NAME}`, `secret:NAME` (a secret of the same app) or `keyvault:URL`. */
        readonly appSecret: SecretReference;
        /** The version of the provider's API, such as v19.0. */
        readonly graphApiVersion?: string;
        /** Scopes to ask for at sign-in. */
        readonly scopes?: readonly string[];
      };
      /** The code-hosting provider. */
      readonly codehost?: {
        /** Whether the provider is offered. @default true */
        readonly enabled?: boolean;
        /** The client id that the provider gave. */
        readonly clientId: string;
        /** Where the secret comes from, never the secret itself: `${env:NAME}`, `secret:NAME` (a secret of the same app) or `keyvault:URL`. */
        readonly clientSecret: SecretReference;
        /** Scopes to ask for at sign-in. */
        readonly scopes?: readonly string[];
      };
      /** The microblog provider. */
      readonly microblog?: {
        /** Whether the provider is offered. @default true */
        readonly enabled?: boolean;
        /** The consumer key that the provider gave. */
        readonly consumerKey: string;
        /** Where the secret comes from, never the secret itself: `${env:NAME}`, `secret:NAME` (a secret of the same app) or `keyvault:URL`. */
        readonly consumerSecret: SecretReference;
      };
      /** A provider with a client id and a client secret. */
      readonly apple?: ClientProviderDeclaration;
      /** OpenID Connect providers by their name, which is the path segment after `/.auth/login/`. */
      readonly openIdConnect?: Readonly<Record<string, {
        /** Whether the provider is offered. @default true */
        readonly enabled?: boolean;
        /** The client id that the provider gave. */
        readonly clientId: string;
        /** Where the secret comes from, never the secret itself: `${env:NAME}`, `secret:NAME` (a secret of the same app) or `keyvault:URL`. */
        readonly clientSecret?: SecretReference;
        /** The address of the discovery document; it takes precedence over the single endpoints. */
        readonly wellKnownConfiguration?: string;
        /** The issuer of the tokens. */
        readonly issuer?: string;
        /** Where people are sent to sign in. */
        readonly authorizationEndpoint?: string;
        /** Where codes become tokens. */
        readonly tokenEndpoint?: string;
        /** Where the signing keys are published. */
        readonly certificationUri?: string;
        /** The claim that holds the user's name. */
        readonly nameClaimType?: string;
        /** Scopes to ask for at sign-in. */
        readonly scopes?: readonly string[];
      }>>;
    };
    /** The store of the providers' tokens. */
    readonly tokenStore?: {
      /** Whether the providers' tokens are kept and handed to the app in headers. @default false */
      readonly enabled?: boolean;
      /** For how many hours after its end a session token may be refreshed. From 0 to any. @default 72 */
      readonly refreshExtensionHours?: number;
      /** A blob container that all replicas share, by a signed URL kept as a secret. */
      readonly blobStorage?: {
        /** Where the secret comes from, never the secret itself: `${env:NAME}`, `secret:NAME` (a secret of the same app) or `keyvault:URL`. */
        readonly sasUrl: SecretReference;
      };
    };
    /** How long a session cookie is good. */
    readonly cookieExpiration?: {
      /** What ends a session. @default "fixedTime" */
      readonly convention?: 'fixedTime' | 'identityProviderDerived';
      /** How long a session lasts: hh:mm:ss. */
      readonly timeToExpiration?: string;
    };
    /** The nonce of a browser sign-in. */
    readonly nonce?: {
      /** Whether the nonce of a sign-in is checked. @default true */
      readonly validate?: boolean;
      /** How long a sign-in may take: hh:mm:ss. */
      readonly expirationInterval?: string;
    };
    /** The paths of the built-in endpoints. */
    readonly routes?: {
      /** The prefix of the built-in endpoints. */
      readonly apiPrefix?: string;
      /** The path that signs out. */
      readonly logoutEndpoint?: string;
    };
    /** A proxy in front of the app. */
    readonly forwardProxy?: {
      /** Which headers of a proxy are trusted. @default "noProxy" */
      readonly convention?: 'noProxy' | 'standard' | 'custom';
      /** The header that carries the host. */
      readonly customHostHeaderName?: string;
      /** The header that carries the scheme. */
      readonly customProtoHeaderName?: string;
    };
    /** URLs outside the app that sign-in and sign-out may lead to. */
    readonly allowedExternalRedirectUrls?: readonly string[];
    /** Whether the fragment of the address survives the sign-in. @default false */
    readonly preserveUrlFragments?: boolean;
    /** The app's own keys for cookies and tokens, in place of those the layer makes. */
    readonly keys?: {
      /** Where the secret comes from, never the secret itself: `${env:NAME}`, `secret:NAME` (a secret of the same app) or `keyvault:URL`. */
      readonly encryption: SecretReference;
      /** Where the secret comes from, never the secret itself: `${env:NAME}`, `secret:NAME` (a secret of the same app) or `keyvault:URL`. */
      readonly signing: SecretReference;
    };
  };
  /** How the app runs in the local sandbox. */
  readonly sandbox?: {
    /** The command that serves the app in place of its image; it listens on $PORT. */
    readonly command?: string | readonly string[];
    /** The folder with the Dockerfile that the image is built from, seen from the configuration file. */
    readonly build?: string;
    /** Whether a page that shows each request is served in place of the image, also where a container engine answers. */
    readonly page?: boolean;
    /** Environment in the sandbox only. */
    readonly env?: Readonly<Record<string, string>>;
    /** Where the command runs, seen from the configuration file. */
    readonly workingDirectory?: string;
  };
  /** Tags of the resource. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** A group of the directory. */
export interface GroupDeclaration {
  /** The kind of group; or give groupTypes, mailEnabled and securityEnabled. */
  readonly kind?: 'security' | 'unified';
  /** The name of the group. At most 256 characters. */
  readonly displayName: string;
  /** What the group is for. */
  readonly description?: string;
  /** Whether the group has mail. Follows from `kind`. */
  readonly mailEnabled?: boolean;
  /** Whether the group controls access. A unified group may set it. */
  readonly securityEnabled?: boolean;
  /** The mail alias: at most 64 ASCII characters. Default: the name in this file. At most 64 characters. */
  readonly mailNickname?: string;
  /** The types of the group. Follow from `kind` and `dynamicMembership`. */
  readonly groupTypes?: readonly ('Unified' | 'DynamicMembership')[];
  /** Who sees the group and its members, and who may join. */
  readonly visibility?: 'Private' | 'Public' | 'HiddenMembership';
  /** One of the words of the organization's ClassificationList setting. */
  readonly classification?: string;
  /** The rule of dynamic membership; or give `dynamicMembership`. At most 3072 characters. */
  readonly membershipRule?: string;
  /** Whether the rule is applied. */
  readonly membershipRuleProcessingState?: 'On' | 'Paused';
  /** Members by a rule over their properties, in place of `members`. */
  readonly dynamicMembership?: {
    /** The rule, such as `user.department -eq "Retail"`. At most 3072 characters. */
    readonly rule: string;
    /** Whether the rule is applied. @default "On" */
    readonly processing?: 'On' | 'Paused';
  };
  /** Whether the group can hold directory roles. Only at creation. @default false */
  readonly isAssignableToRole?: boolean;
  /** Sensitivity labels. */
  readonly assignedLabels?: readonly {
    /** The id of a sensitivity label. */
    readonly labelId: string;
    /** The name of the label. */
    readonly displayName?: string;
  }[];
  /** Where the data of the group is kept: three capital letters, such as EUR. */
  readonly preferredDataLocation?: string;
  /** An ISO 639-1 code such as en-US. */
  readonly preferredLanguage?: string;
  /** Behaviours of the group. Only at creation. */
  readonly resourceBehaviorOptions?: readonly ('AllowOnlyMembersToPost' | 'CalendarMemberReadOnly' | 'ConnectorsDisabled' | 'HideGroupInOutlook' | 'SkipExchangeInstantOn' | 'SubscribeMembersToCalendarEventsDisabled' | 'SubscribeNewGroupMembers' | 'WelcomeEmailDisabled')[];
  /** What is set up beside the group. */
  readonly resourceProvisioningOptions?: readonly 'Team'[];
  /** The colour theme. */
  readonly theme?: 'Teal' | 'Purple' | 'Green' | 'Blue' | 'Pink' | 'Orange' | 'Red';
  /** An alternate key, which never changes. At most 128 characters. */
  readonly uniqueName?: string;
  /** How the group is accessed. */
  readonly accessType?: 'none' | 'private' | 'secret' | 'public';
  /** Whether people outside the organization may send to the group. @default false */
  readonly allowExternalSenders?: boolean;
  /** Whether new members get the mail of the group. @default false */
  readonly autoSubscribeNewMembers?: boolean;
  /** Whether address lists leave the group out. @default false */
  readonly hideFromAddressLists?: boolean;
  /** Whether mail clients leave the group out. @default false */
  readonly hideFromOutlookClients?: boolean;
  /** Whether the caller gets the mail of the group. @default true */
  readonly isSubscribedByMail?: boolean;
  /** Whether the group is one of the caller's favourites. */
  readonly isFavorite?: boolean;
  /** Who manages the group: users and service principals. Two are recommended, 100 at most. At most 100. */
  readonly owners?: readonly string[];
  /** Whether owners are managed outside this stack and left alone, in a group that has none, too. @default false */
  readonly ownersManagedElsewhere?: boolean;
  /** Who belongs to the group. */
  readonly members?: readonly string[];
  /** Whether members are managed outside this stack and left alone. @default false */
  readonly membersManagedElsewhere?: boolean;
  /** Only these may post, if there are any. */
  readonly acceptedSenders?: readonly string[];
  /** These may not post. */
  readonly rejectedSenders?: readonly string[];
  /** Licences that pass to all members. */
  readonly licenses?: readonly {
    /** The id of a subscription. */
    readonly skuId: string;
    /** Plans of the subscription that members do not get. */
    readonly disabledPlans?: readonly string[];
  }[];
  /** Settings by template, such as `Group.Unified.Guest: { AllowToAddGuests: false }`. */
  readonly settings?: Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>;
  /** The expiration of a unified group. */
  readonly lifecycle?: {
    /** Whether the tenant's expiration policy covers the group. @default true */
    readonly renewable?: boolean;
  };
  /** Whether a second group of the same name is refused. @default false */
  readonly preventDuplicateNames?: boolean;
}

/** The expiration policy of the tenant's unified groups. */
export interface GroupLifecyclePolicyDeclaration {
  /** After how many days without renewal a group is deleted. From 30 to any. */
  readonly groupLifetimeInDays: number;
  /** Which unified groups expire. */
  readonly managedGroupTypes: 'All' | 'Selected' | 'None';
  /** Who gets the notifications about groups without owners. */
  readonly alternateNotificationEmails?: readonly string[];
}

/** A workspace, which holds eventhouses and eventstreams. */
export interface WorkspaceDeclaration {
  /** The name of the workspace. At most 256 characters. */
  readonly displayName: string;
  /** What the workspace is for. At most 4000 characters. */
  readonly description?: string;
  /** The capacity that the workspace runs on. Eventhouses need one. */
  readonly capacityId?: string;
  /** Whether a paused capacity is accepted. @default false */
  readonly skipCapacityStateValidation?: boolean;
  /** Whether the workspace has an identity of its own. @default false */
  readonly identity?: boolean;
  /** Who may do what in the workspace. */
  readonly roles?: readonly {
    /** A principal or a group of this stack. */
    readonly principal: string;
    /** What the principal may do. */
    readonly role: 'Admin' | 'Contributor' | 'Member' | 'Viewer';
  }[];
}

/** An eventhouse. */
export interface EventhouseDeclaration {
  /** The workspace that holds the item. */
  readonly workspace: string;
  /** The name: letters, digits, underscores, periods and hyphens. At most 123 characters. */
  readonly displayName: string;
  /** What the item is for. At most 256 characters. */
  readonly description?: string;
  /** The folder that holds the item. Default, or null: the workspace itself. */
  readonly folderId?: string | null;
  /** Tags of the item, by id. */
  readonly tags?: readonly string[];
  /** The sensitivity label of the item. */
  readonly sensitivityLabelSettings?: {
    /** The id of the label. */
    readonly labelId: string;
    /** Whether creation fails when the label cannot be applied. @default "ApplyOrFail" */
    readonly sensitivityLabelApplyStrategy?: 'ApplyOrFail' | 'Ignore';
  };
  /** The minimum consumption units: 0, 2.25, 4.25, 8.5, 13, 18, 26, 34, 50, or any number from 51 to 322. @default 0 */
  readonly minimumConsumptionUnits?: number;
  /** The API's own place of `minimumConsumptionUnits`. */
  readonly creationPayload?: {
    /** The minimum consumption units: 0, 2.25, 4.25, 8.5, 13, 18, 26, 34, 50, or any number from 51 to 322. @default 0 */
    readonly minimumConsumptionUnits?: number;
  };
  /** The public definition of the eventhouse. */
  readonly definition?: {
    /** The format of the definition. */
    readonly format?: string;
    /** The parts of the definition. */
    readonly parts: readonly {
      /** The path of the part, such as eventstream.json. */
      readonly path: string;
      /** The content, in base64. */
      readonly payload: string;
      /** How the content is written. @default "InlineBase64" */
      readonly payloadType?: 'InlineBase64';
    }[];
  };
  /** Whether a changed definition is sent to the service. Without it, only a new eventhouse gets the definition. @default true */
  readonly definitionUpdateEnabled?: boolean;
}

/** An eventstream. */
export interface EventstreamDeclaration {
  /** The workspace that holds the item. */
  readonly workspace: string;
  /** The name: letters, digits, underscores, periods and hyphens. At most 123 characters. */
  readonly displayName: string;
  /** What the item is for. At most 256 characters. */
  readonly description?: string;
  /** The folder that holds the item. Default, or null: the workspace itself. */
  readonly folderId?: string | null;
  /** Tags of the item, by id. */
  readonly tags?: readonly string[];
  /** The sensitivity label of the item. */
  readonly sensitivityLabelSettings?: {
    /** The id of the label. */
    readonly labelId: string;
    /** Whether creation fails when the label cannot be applied. @default "ApplyOrFail" */
    readonly sensitivityLabelApplyStrategy?: 'ApplyOrFail' | 'Ignore';
  };
  /** The graph of the eventstream: inline, `{ file }`, or the parts that the API takes. */
  readonly definition?: {
    /** A file that holds the document, seen from the configuration file. */
    readonly file?: string;
    /** The format of the parts: `eventstream`. */
    readonly format?: string;
    /** The parts of the definition as the API takes them. */
    readonly parts?: readonly {
      /** The path of the part, such as eventstream.json. */
      readonly path: string;
      /** The content, in base64. */
      readonly payload: string;
      /** How the content is written. @default "InlineBase64" */
      readonly payloadType?: 'InlineBase64';
    }[];
    /** Where events come from. */
    readonly sources?: readonly EventstreamSource[];
    /** Streams. Default: one that takes all sources, DISPLAYNAME-stream. */
    readonly streams?: readonly EventstreamStream[];
    /** What is done to events on their way. */
    readonly operators?: readonly EventstreamOperator[];
    /** Where events go. */
    readonly destinations?: readonly EventstreamDestination[];
    /** The version of the document. @default "1.0" */
    readonly compatibilityLevel?: '1.0' | '1.1';
  };
  /** For how many days events are kept. From 1 to 90. */
  readonly retentionTimeInDays?: number;
  /** The expected throughput. */
  readonly eventThroughputLevel?: 'Low' | 'Medium' | 'High';
}

/** What every source has. */
interface EventstreamSourceBase {
  /** The name of the node, unique in the eventstream. */
  readonly name: string;
  /** The columns that the inputs bring. */
  readonly inputSchemas?: readonly EventstreamInputSchema[];
}

/** A source: where events come from. */
export type EventstreamSource =
  /** Records of an Amazon Kinesis data stream. */
  | (EventstreamSourceBase & {
    readonly type: 'AmazonKinesis';
    readonly properties: {
      /** The region of the stream, such as eu-west-1. */
      readonly region: string;
      /** Where reading starts: TRIM_HORIZON, LATEST or AT_TIMESTAMP. */
      readonly startPosition?: string;
      /** The time to start at, with AT_TIMESTAMP. */
      readonly startTimestamp?: string;
    } & DataConnectionIdOrConnectionReference;
  })
  /** Messages of a topic in Amazon Managed Streaming for Apache Kafka. */
  | (EventstreamSourceBase & {
    readonly type: 'AmazonMSKKafka';
    readonly properties: {
      /** The topic. */
      readonly topic: string;
      /** The consumer group. */
      readonly consumerGroupName: string;
      /** Where reading starts when the group has no offset. @default "None" */
      readonly autoOffsetReset: 'None' | 'Earliest' | 'Latest';
      /** How the client proves who it is. */
      readonly saslMechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';
      /** How the connection is protected. */
      readonly securityProtocol: 'SASL_PLAINTEXT' | 'PLAINTEXT' | 'SASL_SSL' | 'SSL';
    } & DataConnectionIdOrConnectionReference;
  })
  /** Messages of a topic in an Apache Kafka cluster. */
  | (EventstreamSourceBase & {
    readonly type: 'ApacheKafka';
    readonly properties: {
      /** The topic. */
      readonly topic: string;
      /** The consumer group. */
      readonly consumerGroupName: string;
      /** Where reading starts when the group has no offset. @default "None" */
      readonly autoOffsetReset: 'None' | 'Earliest' | 'Latest';
      /** How the client proves who it is. */
      readonly saslMechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';
      /** How the connection is protected. */
      readonly securityProtocol: 'SASL_PLAINTEXT' | 'PLAINTEXT' | 'SASL_SSL' | 'SSL';
    } & DataConnectionIdOrConnectionReference;
  })
  /** What happens to the blobs of a storage account. */
  | (EventstreamSourceBase & {
    readonly type: 'AzureBlobStorageEvents';
    readonly properties: {
      /** The storage accounts, each with the event types to read. */
      readonly azureBlobStorageEvents: readonly {
        /** The id that the service gave the subscription. */
        readonly id?: string;
        /** The resource id of the storage account. */
        readonly azureResourceId: string;
        /** The event types to read, such as Microsoft.Storage.BlobCreated. */
        readonly includedEventTypes: readonly string[];
      }[];
      /** Whether events flow into the eventstream. */
      readonly streamEvents: boolean;
    };
  })
  /** Changes in a container of Azure Cosmos DB. */
  | (EventstreamSourceBase & {
    readonly type: 'AzureCosmosDBCDC';
    readonly properties: {
      /** The container. */
      readonly containerName: string;
      /** The database. */
      readonly databaseName: string;
      /** Where reading starts. */
      readonly offsetPolicy: 'Earliest' | 'Latest';
    } & DataConnectionIdOrConnectionReference;
  })
  /** Rows of tables in an Azure Data Explorer database. */
  | (EventstreamSourceBase & {
    readonly type: 'AzureDataExplorer';
    readonly properties: {
      /** The database. */
      readonly databaseName: string;
    } & DataConnectionIdOrConnectionReference & TableNamesOrTableNamesReference;
  })
  /** Events of a topic in an Azure Event Grid namespace. */
  | (EventstreamSourceBase & {
    readonly type: 'AzureEventGridNamespace';
    readonly properties: {
      /** The resource id of the namespace. */
      readonly namespaceResourceId: string;
      /** The topic. */
      readonly topic: string;
    };
  })
  /** Events of an Azure event hub. */
  | (EventstreamSourceBase & {
    readonly type: 'AzureEventHub';
    readonly properties: {
      /** The consumer group, such as $Default. */
      readonly consumerGroupName: string;
      /** How events are written down: Json, Csv or Avro. */
      readonly inputSerialization: EventstreamSerialization;
    } & DataConnectionIdOrConnectionReference;
  })
  /** Events of an Azure event hub, with their headers and their schema. */
  | (EventstreamSourceBase & {
    readonly type: 'AzureEventHubExtended';
    readonly properties: {
      /** The consumer group, such as $Default. */
      readonly consumerGroupName: string;
      /** Where reading starts when nothing was read before. */
      readonly startPosition: 'Earliest' | 'Latest';
    } & DataConnectionIdOrConnectionReference;
  })
  /** Messages of the devices of an Azure IoT hub. */
  | (EventstreamSourceBase & {
    readonly type: 'AzureIoTHub';
    readonly properties: {
      /** The consumer group, such as $Default. */
      readonly consumerGroupName: string;
      /** How events are written down: Json, Csv or Avro. */
      readonly inputSerialization: EventstreamSerialization;
    } & DataConnectionIdOrConnectionReference;
  })
  /** Messages of the devices of an Azure IoT hub, with their headers and their schema. */
  | (EventstreamSourceBase & {
    readonly type: 'AzureIoTHubExtended';
    readonly properties: {
      /** The consumer group, such as $Default. */
      readonly consumerGroupName: string;
      /** Where reading starts when nothing was read before. */
      readonly startPosition?: 'Earliest' | 'Latest';
    } & DataConnectionIdOrConnectionReference;
  })
  /** Changes in tables of an Azure SQL database. */
  | (EventstreamSourceBase & {
    readonly type: 'AzureSQLDBCDC';
    readonly properties: Readonly<Record<string, unknown>> & DataConnectionIdOrConnectionReference & TableNameOrTableNameReference;
  })
  /** Changes in tables of an Azure SQL managed instance. */
  | (EventstreamSourceBase & {
    readonly type: 'AzureSQLMIDBCDC';
    readonly properties: Readonly<Record<string, unknown>> & DataConnectionIdOrConnectionReference & TableNameOrTableNameReference;
  })
  /** Messages of an Azure Service Bus queue, or of a subscription to a topic. */
  | (EventstreamSourceBase & {
    readonly type: 'AzureServiceBus';
    /** A topic or a queue. */
    readonly properties: {
      readonly serviceBusType: 'Topic';
      /** The topic. */
      readonly topicOrQueueName: string;
      /** The subscription to the topic. */
      readonly subscriptionName: string;
    } & DataConnectionIdOrConnectionReference | {
      readonly serviceBusType: 'Queue';
      /** The queue. */
      readonly topicOrQueueName: string;
      /** Of no use with a queue. */
      readonly subscriptionName?: string;
    } & DataConnectionIdOrConnectionReference;
  })
  /** Messages of a topic in Confluent Cloud. */
  | (EventstreamSourceBase & {
    readonly type: 'ConfluentCloud';
    readonly properties: {
      /** The topic. */
      readonly topic: string;
      /** The consumer group. */
      readonly consumerGroupName: string;
      /** Where reading starts when the group has no offset. @default "None" */
      readonly autoOffsetReset: 'None' | 'Earliest' | 'Latest';
    } & DataConnectionIdOrConnectionReference;
  })
  /** What an application sends to an address of the eventstream, by AMQP, Kafka or HTTP. */
  | (EventstreamSourceBase & {
    readonly type: 'CustomEndpoint';
    readonly properties?: Readonly<Record<string, unknown>>;
  })
  /** What anomaly detectors find. */
  | (EventstreamSourceBase & {
    readonly type: 'FabricAnomalyDetectionEvents';
    readonly properties?: {
      /** A variable of a variable library that names the detector. */
      readonly itemReference?: string;
      /** The event types to read, such as Microsoft.Fabric.AnomalyEvents.AnomalyDetected. Default: all. */
      readonly includedEventTypes?: readonly string[];
      /** Filters of the event grid: objects with operatorType, key and values. */
      readonly filters?: unknown;
    };
  })
  /** State and use of a capacity. */
  | (EventstreamSourceBase & {
    readonly type: 'FabricCapacityOverviewEvents';
    readonly properties: {
      /** Whose events are read. */
      readonly eventScope: 'Tenant' | 'Capacity' | 'Workspace' | 'Item' | 'SubItem';
      /** The id of the capacity. */
      readonly capacityId: string;
      /** The event types to read, such as Microsoft.Fabric.Capacity.Summary. Default: all. */
      readonly includedEventTypes?: readonly string[];
      /** Filters of the event grid: objects with operatorType, key and values. */
      readonly filters?: unknown;
    };
  })
  /** What happens to the jobs of an item. */
  | (EventstreamSourceBase & {
    readonly type: 'FabricJobEvents';
    readonly properties: {
      /** Whose events are read. */
      readonly eventScope: 'Tenant' | 'Capacity' | 'Workspace' | 'Item' | 'SubItem';
      /** The id of the workspace that holds the item. */
      readonly workspaceId: string;
      /** The id of the item. */
      readonly itemId: string;
      /** The event types to read, such as Microsoft.Fabric.JobEvents.ItemJobFailed. Default: all. */
      readonly includedEventTypes?: readonly string[];
      /** Filters of the event grid: objects with operatorType, key and values. */
      readonly filters?: unknown;
    };
  })
  /** What happens to files and folders in OneLake. */
  | (EventstreamSourceBase & {
    readonly type: 'FabricOneLakeEvents';
    readonly properties: {
      /** The id of the tenant. */
      readonly tenantId: string;
      /** The id of the workspace that holds the item. */
      readonly workspaceId: string;
      /** The id of the item. */
      readonly itemId: string;
      /** The paths below the item. */
      readonly oneLakePaths: readonly string[];
      /** The event types to read, such as Microsoft.Fabric.OneLake.FileCreated. Default: all. */
      readonly includedEventTypes?: readonly string[];
      /** Filters of the event grid: objects with operatorType, key and values. */
      readonly filters?: unknown;
    };
  })
  /** What happens to the items of a workspace. */
  | (EventstreamSourceBase & {
    readonly type: 'FabricWorkspaceItemEvents';
    readonly properties: {
      /** Whose events are read. */
      readonly eventScope: 'Tenant' | 'Capacity' | 'Workspace' | 'Item' | 'SubItem';
      /** The id of the workspace that holds the item. */
      readonly workspaceId: string;
      /** The id of the item. */
      readonly itemId?: string;
      /** The event types to read, such as Microsoft.Fabric.ItemCreateSucceeded. Default: all. */
      readonly includedEventTypes?: readonly string[];
      /** Filters of the event grid: objects with operatorType, key and values. */
      readonly filters?: unknown;
    };
  })
  /** Messages of a Google Cloud Pub/Sub subscription. */
  | (EventstreamSourceBase & {
    readonly type: 'GooglePubSub';
    readonly properties: Readonly<Record<string, unknown>> & DataConnectionIdOrConnectionReference;
  })
  /** Answers of an HTTP address that is asked again and again. */
  | (EventstreamSourceBase & {
    readonly type: 'Http';
    readonly properties: {
      /** The method of the request. */
      readonly method: 'GET' | 'POST';
      /** The headers of the request. */
      readonly requestHeaders?: readonly {
        /** The name. */
        readonly key: string;
        /** The value. */
        readonly value?: unknown;
      }[];
      /** The query parameters of the request. */
      readonly requestParameters?: readonly {
        /** The name. */
        readonly key: string;
        /** The value. */
        readonly value?: unknown;
      }[];
      /** The body of the request. */
      readonly requestBody?: unknown;
      /** Milliseconds between two requests. */
      readonly pollIntervalMs?: number;
      /** How often a failed request is repeated. */
      readonly maxRetries?: number;
      /** Milliseconds before a request is repeated. */
      readonly retryBackoffMs?: number;
      /** The status codes after which a request is repeated, separated by commas. */
      readonly retriableHttpStatusCodes?: string;
    } & DataConnectionIdOrConnectionReference;
  })
  /** Changes in a mirrored database. */
  | (EventstreamSourceBase & {
    readonly type: 'MirroredDatabaseChangeFeed';
    readonly properties?: {
      /** The id of the workspace that holds the item. */
      readonly workspaceId?: string;
      /** The id of the item. */
      readonly itemId?: string;
      /** A variable of a variable library in place of both ids: `$(/**\/LIBRARY/VARIABLE)`. */
      readonly itemReference?: string;
    };
  })
  /** Changes in a MongoDB database. */
  | (EventstreamSourceBase & {
    readonly type: 'MongoDBCDC';
    readonly properties: Readonly<Record<string, unknown>> & DataConnectionIdOrConnectionReference;
  })
  /** Messages of an MQTT broker. */
  | (EventstreamSourceBase & {
    readonly type: 'Mqtt';
    readonly properties: {
      /** The topic. */
      readonly topic: string;
      /** The version of the protocol. */
      readonly serverVersion: 'V3' | 'V5';
    } & DataConnectionIdOrConnectionReference;
  })
  /** Changes in tables of a MySQL database. */
  | (EventstreamSourceBase & {
    readonly type: 'MySQLCDC';
    readonly properties: {
      /** The server id that the reader registers with; no other reader may have it. */
      readonly serverId: number;
      /** The port. @default 3306 */
      readonly port?: number;
    } & DataConnectionIdOrConnectionReference & TableNameOrTableNameReference;
  })
  /** Changes in an Oracle database. */
  | (EventstreamSourceBase & {
    readonly type: 'OracleDBCDC';
    readonly properties: Readonly<Record<string, unknown>> & DataConnectionIdOrConnectionReference;
  })
  /** Changes in tables of a PostgreSQL database. */
  | (EventstreamSourceBase & {
    readonly type: 'PostgreSQLCDC';
    readonly properties: {
      /** The replication slot. */
      readonly slotName: string;
      /** The port. @default 5432 */
      readonly port?: number;
    } & DataConnectionIdOrConnectionReference & TableNameOrTableNameReference;
  })
  /** The weather at a place. */
  | (EventstreamSourceBase & {
    readonly type: 'RealTimeWeather';
    readonly properties: {
      /** The latitude in degrees. From -90 to 90. */
      readonly latitude: number;
      /** The longitude in degrees. From -180 to 180. */
      readonly longitude: number;
    };
  })
  /** Changes in tables of an SQL Server on a virtual machine. */
  | (EventstreamSourceBase & {
    readonly type: 'SQLServerOnVMDBCDC';
    readonly properties: Readonly<Record<string, unknown>> & DataConnectionIdOrConnectionReference & TableNameOrTableNameReference;
  })
  /** Made-up events for trying things. */
  | (EventstreamSourceBase & {
    readonly type: 'SampleData';
    readonly properties: {
      /** Which sample. */
      readonly type: 'YellowTaxi' | 'StockMarket' | 'Bicycles' | 'Buses' | 'SP500Stocks' | 'SemanticModelLogs';
    };
  })
  /** Messages of a Solace PubSub+ broker. */
  | (EventstreamSourceBase & {
    readonly type: 'SolacePubSub';
    /** Topics or a queue. */
    readonly properties: {
      readonly pubSubType: 'Topics';
      /** The message VPN. */
      readonly messageVpnName: string;
      /** Whether user properties become headers. */
      readonly mapUserProperties?: boolean;
      /** Whether standard properties of messages become headers. */
      readonly mapSolaceProperties?: boolean;
      /** The topics. */
      readonly topics: readonly string[];
    } & DataConnectionIdOrConnectionReference | {
      readonly pubSubType: 'Queue';
      /** The message VPN. */
      readonly messageVpnName: string;
      /** Whether user properties become headers. */
      readonly mapUserProperties?: boolean;
      /** Whether standard properties of messages become headers. */
      readonly mapSolaceProperties?: boolean;
      /** The queue. */
      readonly queue: string;
    } & DataConnectionIdOrConnectionReference;
  })
  /** A type that is not described here: see otherNodeType. */
  | OtherNode;

/** What every stream has. */
interface EventstreamStreamBase {
  /** The name of the node, unique in the eventstream. */
  readonly name: string;
}

/** A stream. */
export type EventstreamStream =
  /** Carries what the sources bring. Where none is written, there is one with all sources, NAME-stream. */
  | (EventstreamStreamBase & {
    readonly type: 'DefaultStream';
    /** The sources that it reads. */
    readonly inputNodes?: readonly EventstreamInput[];
    readonly properties?: Readonly<Record<string, unknown>>;
  })
  /** Carries what operators made, for others to read. */
  | (EventstreamStreamBase & {
    readonly type: 'DerivedStream';
    /** The sources, streams, operators that it reads. */
    readonly inputNodes: readonly EventstreamInput[];
    readonly properties?: {
      /** How events are written down: Json, Csv or Avro. */
      readonly inputSerialization?: EventstreamSerialization;
    };
  })
  /** A type that is not described here: see otherNodeType. */
  | OtherNode;

/** What every operator has. */
interface EventstreamOperatorBase {
  /** The name of the node, unique in the eventstream. */
  readonly name: string;
  /** The sources, streams, operators that it reads. */
  readonly inputNodes: readonly EventstreamInput[];
  /** The columns that the inputs bring. */
  readonly inputSchemas?: readonly EventstreamInputSchema[];
}

/** A operator. */
export type EventstreamOperator =
  /** Lets events through that satisfy every condition. */
  | (EventstreamOperatorBase & {
    readonly type: 'Filter';
    readonly properties: {
      /** The conditions. */
      readonly conditions: readonly ({
        readonly operatorType: 'Equals' | 'NotEquals' | 'GreaterThan' | 'GreaterThanOrEquals' | 'LessThan' | 'LessThanOrEquals' | 'Contains' | 'DoesNotContain' | 'StartsWith' | 'DoesNotStartWith' | 'EndsWith' | 'DoesNotEndWith';
        /** The column that is tested. */
        readonly column: EventstreamColumn;
        /** What the column is compared with. */
        readonly value: {
          /** The value. */
          readonly value: unknown;
          /** The type of the value. */
          readonly dataType?: 'BigInt' | 'Float' | 'Nvarchar(max)' | 'DateTime' | 'Bit' | 'Record' | 'Array' | 'Any';
        };
      } | {
        readonly operatorType: 'IsEmpty' | 'IsNull' | 'IsNotNull' | 'IsNotNullOrEmpty';
        /** The column that is tested. */
        readonly column: EventstreamColumn;
        /** Of no use here. */
        readonly value?: unknown;
      })[];
    };
  })
  /** Joins the events of two nodes. */
  | (EventstreamOperatorBase & {
    readonly type: 'Join';
    readonly properties: {
      /** Whether events without a partner are dropped. */
      readonly joinType: 'Inner' | 'LeftOuter';
      /** The columns that agree. */
      readonly joinOn?: readonly {
        /** A column of the first node. */
        readonly left: EventstreamColumn;
        /** A column of the second. */
        readonly right: EventstreamColumn;
      }[];
      /** How far apart two partners may be. */
      readonly duration: EventstreamDuration;
    };
  })
  /** Renames, converts, computes and drops columns: what is not listed is dropped. */
  | (EventstreamOperatorBase & {
    readonly type: 'ManageFields';
    readonly properties: {
      /** The columns that go on. */
      readonly columns: readonly {
        /** What is done. */
        readonly type: 'Rename' | 'Cast' | 'FunctionCall';
        /** The name of the new column. */
        readonly alias?: string;
        /** Rename: column. Cast: column, targetDataType. FunctionCall: functionName, arguments. */
        readonly properties?: unknown;
      }[];
    };
  })
  /** Adds a value that is computed over a time. */
  | (EventstreamOperatorBase & {
    readonly type: 'Aggregate';
    readonly properties: {
      /** The values. */
      readonly aggregations: readonly ({
        /** The column that it is computed from. */
        readonly column: EventstreamColumn;
        /** The name of the new column. */
        readonly alias?: string;
        /** What the function needs besides, such as the percentile. */
        readonly arguments?: unknown;
        /** The columns whose values are aggregated apart. */
        readonly partitionBy?: unknown;
        /** The time that it is computed over. */
        readonly duration: EventstreamDuration;
      } & AggregationFunctionOrAggregateFunction)[];
    };
  })
  /** Makes one event of those in a window of time. */
  | (EventstreamOperatorBase & {
    readonly type: 'GroupBy';
    readonly properties: {
      /** The values. */
      readonly aggregations: readonly ({
        /** The column that it is computed from. */
        readonly column: EventstreamColumn;
        /** The name of the new column. */
        readonly alias?: string;
        /** What the function needs besides, such as the percentile. */
        readonly arguments?: unknown;
        /** The columns whose values are aggregated apart. */
        readonly partitionBy?: unknown;
      } & AggregationFunctionOrAggregateFunction)[];
      /** The columns whose values are grouped apart. */
      readonly groupBy: readonly EventstreamColumn[];
      /** The windows of time: Tumbling, Hopping, Sliding, Snapshot or Session. */
      readonly window: {
        readonly type: 'Tumbling';
        readonly properties: {
          /** How long each is. */
          readonly duration: EventstreamDuration;
          /** How far the first is moved. */
          readonly offset?: EventstreamDuration;
        };
      } | {
        readonly type: 'Hopping';
        readonly properties: {
          /** How far the next starts from the last. */
          readonly hopSize: EventstreamDuration;
          /** How long each is. */
          readonly duration: EventstreamDuration;
          /** How far the first is moved. */
          readonly offset?: EventstreamDuration;
        };
      } | {
        readonly type: 'Sliding';
        readonly properties: {
          /** How long each is. */
          readonly duration: EventstreamDuration;
        };
      } | {
        readonly type: 'Snapshot';
        readonly properties?: Readonly<Record<string, unknown>>;
      } | {
        readonly type: 'Session';
        readonly properties: {
          /** The longest a session lasts. */
          readonly maxDuration: EventstreamDuration;
          /** The silence that ends a session. */
          readonly timeout: EventstreamDuration;
          /** The columns whose values have sessions of their own. */
          readonly partitionBy?: unknown;
        };
      };
    };
  })
  /** Brings events of several nodes together: columns of the same name and type go on. */
  | (EventstreamOperatorBase & {
    readonly type: 'Union';
    readonly properties?: Readonly<Record<string, unknown>>;
  })
  /** Makes an event of each entry of an array. */
  | (EventstreamOperatorBase & {
    readonly type: 'Expand';
    readonly properties: {
      /** The column of type Array. */
      readonly column: EventstreamColumn | readonly EventstreamColumn[];
      /** Whether events without the array are dropped. */
      readonly ignoreMissingOrEmpty?: boolean;
    };
  })
  /** Runs a query in the language of stream analytics. */
  | (EventstreamOperatorBase & {
    readonly type: 'SQL';
    readonly properties: {
      /** The query. */
      readonly query: string;
      /** How late events are treated. */
      readonly advancedSettings?: {
        /** What happens to events out of order. */
        readonly eventsOutOfOrderPolicy?: 'Adjust' | 'Drop';
        /** How far out of order an event may be, in seconds. */
        readonly eventsOutOfOrderMaxDelayInSeconds?: number;
        /** How late an event may be, in seconds. */
        readonly eventsLateArrivalMaxDelayInSeconds?: number;
      };
    };
  })
  /** A type that is not described here: see otherNodeType. */
  | OtherNode;

/** What every destination has. */
interface EventstreamDestinationBase {
  /** The name of the node, unique in the eventstream. */
  readonly name: string;
  /** The sources, streams, operators that it reads. Default: the default stream. */
  readonly inputNodes?: readonly EventstreamInput[];
  /** The columns that the inputs bring. */
  readonly inputSchemas?: readonly EventstreamInputSchema[];
}

/** A destination: where events go. */
export type EventstreamDestination =
  /** An activator, which acts on events. */
  | (EventstreamDestinationBase & {
    readonly type: 'Activator';
    readonly properties: {
      /** How events are written down: Json, Csv or Avro. */
      readonly inputSerialization?: EventstreamSerialization;
    } & WorkspaceIdOrItemIdOrItemReference;
  })
  /** An address of the eventstream where an application reads events, by AMQP or Kafka. */
  | (EventstreamDestinationBase & {
    readonly type: 'CustomEndpoint';
    readonly properties?: Readonly<Record<string, unknown>>;
  })
  /** An eventhouse: one of the stack (`eventhouse: NAME`), or the database with these ids. */
  | (EventstreamDestinationBase & {
    readonly type: 'Eventhouse';
    /** The eventhouse of this stack, or the id of one that exists, in place of the ids in `properties`. */
    readonly eventhouse?: string;
    /** DirectIngestion takes events as they are, ProcessedIngestion after the operators. */
    readonly properties?: {
      readonly dataIngestionMode?: 'DirectIngestion';
      /** The id of the workspace that holds the item. */
      readonly workspaceId?: string;
      /** The id of the item. */
      readonly itemId?: string;
      /** A variable of a variable library in place of both ids: `$(/**\/LIBRARY/VARIABLE)`. */
      readonly itemReference?: string;
      /** The table, which exists. */
      readonly tableName?: string;
      /** A variable of a variable library in place of the table. */
      readonly tableNameReference?: string;
      /** The name of the connection that the database knows. */
      readonly connectionName?: string;
      /** The mapping of the table. */
      readonly mappingRuleName?: string;
    } | {
      readonly dataIngestionMode: 'ProcessedIngestion';
      /** The id of the workspace that holds the item. */
      readonly workspaceId?: string;
      /** The id of the item. */
      readonly itemId?: string;
      /** The database. */
      readonly databaseName: string;
      /** How events are written down: Json, Csv or Avro. */
      readonly inputSerialization?: EventstreamSerialization;
    } & TableNameOrTableNameReference;
  })
  /** A table of a lakehouse. */
  | (EventstreamDestinationBase & {
    readonly type: 'Lakehouse';
    readonly properties: {
      /** The table. */
      readonly deltaTable: string;
      /** The schema of the table. Empty: the lakehouse has none. */
      readonly schema?: string;
      /** The fewest rows of a batch. From 1 to any. @default 100000 */
      readonly minimumRows?: number;
      /** The longest that a batch waits for rows, in seconds. From 1 to any. @default 120 */
      readonly maximumDurationInSeconds?: number;
      /** How events are written down: Json, Csv or Avro. */
      readonly inputSerialization?: EventstreamSerialization;
    } & WorkspaceIdOrItemIdOrItemReference;
  })
  /** A notebook that reads the events. */
  | (EventstreamDestinationBase & {
    readonly type: 'Notebook';
    readonly properties: Readonly<Record<string, unknown>> & WorkspaceIdOrItemIdOrItemReference;
  })
  /** A type that is not described here: see otherNodeType. */
  | OtherNode;

/** Part of several declarations. */
export type ProbeDeclaration = {
  /** How the app is asked. @default "http" */
  readonly transport?: 'http' | 'https' | 'tcp';
  /** The port to ask. Default: the app's target port. From 1 to 65535. */
  readonly port?: number;
  /** The path to ask, for HTTP. */
  readonly path?: string;
  /** The host to name. */
  readonly host?: string;
  /** Headers to send. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds before the first question. From 0 to 60. */
  readonly initialDelaySeconds?: number;
  /** Seconds between questions. From 1 to 240. */
  readonly periodSeconds?: number;
  /** Seconds to wait for an answer. From 1 to 240. */
  readonly timeoutSeconds?: number;
  /** Failures in a row that count. From 1 to 30. */
  readonly failureThreshold?: number;
  /** Successes in a row that count (readiness only). From 1 to 10. */
  readonly successThreshold?: number;
};

/** Part of several declarations. */
export type ClientProviderDeclaration = {
  /** Whether the provider is offered. @default true */
  readonly enabled?: boolean;
  /** The client id that the provider gave. */
  readonly clientId: string;
  /** Where the secret comes from, never the secret itself: `${env:NAME}`, `secret:NAME` (a secret of the same app) or `keyvault:URL`. */
  readonly clientSecret?: SecretReference;
  /** Scopes to ask for at sign-in. */
  readonly scopes?: readonly string[];
  /** Audiences that tokens may carry besides the client id. */
  readonly allowedAudiences?: readonly string[];
};

/** Part of several declarations. */
export type DataConnectionIdOrConnectionReference = {
  /** The id of the connection, made in the portal, that holds address and credentials. */
  readonly dataConnectionId: string;
} | {
  /** A variable of a variable library in place of the id: `$(/**\/LIBRARY/VARIABLE)`. */
  readonly connectionReference: string;
};

/** See docs/reference/eventstreams.md. */
export type EventstreamInputSchema = {
  /** The node that the columns come from. */
  readonly name: string;
  readonly schema?: {
    /** The columns. */
    readonly columns?: readonly {
      /** The name of the column. */
      readonly name: string;
      /** The type of the column. */
      readonly type: 'BigInt' | 'Float' | 'Nvarchar(max)' | 'DateTime' | 'Bit' | 'Record' | 'Array' | 'Any';
      /** The fields of a Record. */
      readonly fields?: unknown;
      /** What an Array holds. */
      readonly items?: unknown;
    }[];
  };
};

/** Part of several declarations. */
export type TableNamesOrTableNamesReference = {
  /** The tables, separated by commas. */
  readonly tableNames: string;
} | {
  /** A variable of a variable library in place of the tables. */
  readonly tableNamesReference: string;
};

/** See docs/reference/eventstreams.md. */
export type EventstreamSerialization = {
  readonly type: 'Json';
  readonly properties?: {
    /** How characters are encoded. @default "UTF8" */
    readonly encoding?: 'UTF8';
  };
} | {
  readonly type: 'Csv';
  readonly properties: {
    /** What separates fields: a comma, a tab. */
    readonly fieldDelimiter: string;
    /** How characters are encoded. @default "UTF8" */
    readonly encoding?: 'UTF8';
    /** Whether the first line names the fields. */
    readonly format?: 'WithHeaders' | 'WithoutHeaders';
  };
} | {
  readonly type: 'Avro';
  readonly properties?: Readonly<Record<string, unknown>>;
};

/** Part of several declarations. */
export type TableNameOrTableNameReference = {
  /** The table; it is made where there is none. */
  readonly tableName: string;
} | {
  /** A variable of a variable library in place of the table. */
  readonly tableNameReference: string;
};

/** See docs/reference/eventstreams.md. */
export type EventstreamInput = string | {
  /** The name of the node, unique in the eventstream. */
  readonly name: string;
};

/** See docs/reference/eventstreams.md. */
export type EventstreamColumn = {
  /** The node that the column comes from. Default: the only one. */
  readonly node?: string | null;
  /** The name of the column. */
  readonly columnName: string;
  /** The way into a column of type Record. */
  readonly columnPathSegments?: readonly unknown[];
};

/** See docs/reference/eventstreams.md. */
export type EventstreamDuration = {
  /** How many units. From 0 to any. */
  readonly value: number;
  /** The unit. */
  readonly unit: 'Microsecond' | 'Millisecond' | 'Second' | 'Minute' | 'Hour' | 'Day' | 'Week' | 'Month' | 'Year';
};

/** Part of several declarations. */
export type AggregationFunctionOrAggregateFunction = {
  /** What is computed. */
  readonly aggregationFunction: 'Average' | 'Count' | 'Maximum' | 'Minimum' | 'PercentileContinuous' | 'PercentileDiscrete' | 'StandardDeviation' | 'StandardDeviationPopulation' | 'Sum' | 'Variance' | 'VariancePopulation';
} | {
  /** What is computed. */
  readonly aggregateFunction: 'Average' | 'Count' | 'Maximum' | 'Minimum' | 'PercentileContinuous' | 'PercentileDiscrete' | 'StandardDeviation' | 'StandardDeviationPopulation' | 'Sum' | 'Variance' | 'VariancePopulation';
};

/** Part of several declarations. */
export type WorkspaceIdOrItemIdOrItemReference = {
  /** The id of the workspace that holds the item. */
  readonly workspaceId: string;
  /** The id of the item. */
  readonly itemId: string;
} | {
  /** A variable of a variable library in place of both ids: `$(/**\/LIBRARY/VARIABLE)`. */
  readonly itemReference: string;
};
