/** Where the table of jobs is. No entity describes it, so comparisons of entities and database leave this schema out. */
export const JOBS_SCHEMA = 'jobs';

/**
 * The table of jobs. It is worked on by templates (job-queue.ts, claim-jobs.ts), as plans of its statements are made while it is nearly
 * empty, and must be good when it is full. It grows and shrinks by thousands within minutes, so its statistics must not be older than
 * that: a claim would be planned for an empty table.
 *
 * Ids count up, and say in which order jobs were put in. `owner` is whose turn a job takes, and `line` is one of that owner's lines. A
 * job that is not to be done yet is `blocked`, whether it waits for a time or for those before it in its order: so the index of turns
 * holds the jobs that could be begun at this moment, and nothing else. `due_on` says when a job first could have been begun, once it
 * has waited anew. States are compared by their order: what comes before `active` waits.
 */
export const JOBS_TABLE = `
create schema jobs;
create sequence jobs.job_number;
create type jobs.job_state as enum ('created', 'retry', 'active', 'given-up');
create table jobs.queue (queue text primary key);
create table jobs.job (
  id uuid not null, queue text not null, owner text not null default '', line text not null default '', order_key text,
  data jsonb not null, state jobs.job_state not null default 'created', priority int not null default 0,
  blocked boolean not null default false, start_after timestamptz not null default now(), due_on timestamptz,
  retry_count int not null default 0, started_on timestamptz, heartbeat_on timestamptz, output jsonb, given_up_on timestamptz,
  primary key (queue, id)
);
create index job_turn_idx on jobs.job (queue, owner, line, priority desc, start_after, id) where state < 'active' and not blocked;
create index job_ripe_idx on jobs.job (start_after) where state < 'active' and blocked;
-- Without the queue, which stands first in the primary key: for an empty table both would look as good (job-queue.ts).
create index job_order_idx on jobs.job (order_key, id) where order_key is not null and state <= 'active';
create index job_active_idx on jobs.job (queue) where state = 'active';
create index job_given_up_idx on jobs.job (given_up_on, id) where state = 'given-up';
alter table jobs.job set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- Of one key there are few, and when there are thousands the rest must not be looked for among them, either.
alter table jobs.job alter column order_key set (n_distinct = -0.5);`;
