/** Where pg-boss keeps its tables. No entity describes them, so comparisons of entities and database leave this schema out. */
export const JOBS_SCHEMA = 'jobs';

/**
 * Our additions to pg-boss's tables. Its own ids are random; ours count up, and say in which order jobs were put in. The table grows
 * and shrinks by thousands within minutes, so its statistics must not be older than that: a claim would be planned for an empty table.
 *
 * `group_id` names the owner whose turn a job takes, and `group_tier` its line among that owner's (claim-jobs.ts). A job that is
 * not to be done yet is `blocked`, whether it waits for a time or for those before it in its order: so the index of turns holds the
 * jobs that could be begun at this moment, and nothing else. `due_on` says when a job first could have been begun, once it has
 * waited anew.
 */
export const JOBS_SCHEMA_ADDITIONS = `
create sequence jobs.job_number;
alter table jobs.job add column due_on timestamptz;
alter table jobs.job alter column group_id set default '', alter column group_tier set default '';
alter table jobs.job_common alter column group_id set default '', alter column group_tier set default '';
alter table jobs.job alter column group_id set not null, alter column group_tier set not null;
create index job_turn_idx on jobs.job_common (name, group_id, group_tier, priority desc, start_after, id) where state < 'active' and not blocked;
create index job_ripe_idx on jobs.job_common (start_after) where state < 'active' and blocked;
-- By these two pg-boss takes jobs.
drop index jobs.job_common_i11, jobs.job_common_i7;
-- Without the queue's name, which stands first in the primary key: for an empty table both would look as good (job-queue.ts).
create index job_order_idx on jobs.job_common (singleton_key, id) where singleton_key is not null and state < 'completed';
create index job_active_idx on jobs.job_common (name) where state = 'active';
alter table jobs.job_common set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- Of one key there are few, and when there are thousands the rest must not be looked for among them, either.
alter table jobs.job_common alter column singleton_key set (n_distinct = -0.5);`;
