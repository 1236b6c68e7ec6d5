/** Days for which messages are stored after their end; null: until a client deletes them. */
export interface RetentionDays {
  readonly messageRetentionDays: number | null
  /** The same for their bodies. */
  readonly bodyRetentionDays: number | null
}

/** A century is as good as forever. */
export const retentionDaysMax = 36_500
