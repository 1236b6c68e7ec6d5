import { rowSelectionFeature, tableFeatures } from '@tanstack/react-table'

/** The features of TanStack Table that lists use. */
export const features = tableFeatures({ rowSelectionFeature })

/** Identifiers of selected rows. */
export type Selection = Record<string, true>
