/**
 * For Node, in a process that ends after seconds. As a rule V8 soon compiles what is hot of the embedded PostgreSQL a second time:
 * of the CPU time of a service's start that is a quarter, which pays only later.
 */
export const SHORT_LIVED = '--wasm-tiering-budget=1000000000';
