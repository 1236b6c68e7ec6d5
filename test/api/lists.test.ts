import { speaksOfLists } from '../conformance/lists.ts'
import { startApi } from '../support/api.ts'

speaksOfLists('The interface', startApi)
