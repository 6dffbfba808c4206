/** How much memory the rules of a pack may take, in mebibytes: objects, a Rego policy, and everything together. */
export const memoryLimits = { objects: 512, rego: 256, all: 1024 } as const;

/** How long a pack may take: to load, and for each stack where the policy says nothing, in seconds. */
export const timeLimits = { load: 20, stack: 5 } as const;
