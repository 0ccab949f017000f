/** Where pg-boss keeps its tables. No entity describes them, so comparisons of entities and database leave this schema out. */
export const JOBS_SCHEMA = 'jobs';

/**
 * What we add to pg-boss's tables. Its own ids are random; ours count up, and say in which order jobs were put in. The
 * indexes find the next one of an order, and those that somebody is at. The table grows and shrinks by thousands within
 * minutes, so its statistics must not be older than that: a claim would be planned for an empty table.
 */
export const JOBS_SCHEMA_ADDITIONS = `
create sequence jobs.job_number;
-- Without the queue's name, which stands first in the primary key: for an empty table both would look as good (job-queue.ts).
create index job_order_idx on jobs.job_common (singleton_key, id) where singleton_key is not null and state < 'completed';
create index job_active_idx on jobs.job_common (name) where state = 'active';
alter table jobs.job_common set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- Of one key there are few, and when there are thousands the rest must not be looked for among them, either.
alter table jobs.job_common alter column singleton_key set (n_distinct = -0.5);`;
