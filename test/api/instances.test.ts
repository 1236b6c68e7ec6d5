import { speaksOfInstances } from '../conformance/instances.ts'
import { startApi } from '../support/api.ts'

speaksOfInstances('The interface', startApi)
