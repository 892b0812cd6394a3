/** The cost of an argon2id hash. `memoryCost`: KiB. `timeCost`: passes. */
export interface HashCost {
  memoryCost: number;
  timeCost: number;
}

/** OWASP's parameters for argon2id. */
export const owaspCost: HashCost = { memoryCost: 19_456, timeCost: 2 };

/** 2 is argon2id in the library's const enum, which type stripping can't read. */
export const argon2id = { algorithm: 2, parallelism: 1 };
