import { logColumns, logIndex } from '../../sql/tables/fixed-tables.ts'
import { partedLog } from '../schema/partitions.ts'

/** The statements that create the notification log, partitioned by day. Whole partitions are dropped. */
export const logTable: readonly string[] = [
  `create table if not exists log (${logColumns}) partition by range (at)`,
  logIndex,
  `create table if not exists ${partedLog.rest} partition of log default`,
]
