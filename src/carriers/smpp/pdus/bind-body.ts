import { encodePdu } from './encode-pdu.ts'
import type { Body } from './pdu.ts'
import type { SmppSettings } from '../settings.ts'

/** SMPP 3.4, section 5.2.4. */
const interfaceVersion = 0x34

/** The parameters of a bind. Throws where SMPP cannot carry one, so that it shows when it is set up. */
export function bindBody(settings: SmppSettings): Body<'bind_transceiver'> {
  const body = {
    system_id: settings.systemId,
    password: settings.password ?? '',
    system_type: settings.systemType,
    interface_version: interfaceVersion,
    addr_ton: 0,
    addr_npi: 0,
    address_range: settings.addressRange,
  }
  encodePdu({ command: 'bind_transceiver', status: 0, sequence: 0, body, tlvs: new Map() })
  return body
}
