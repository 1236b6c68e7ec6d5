# An SMSC made with Net::SMPP: takes all that is submitted, and sends a receipt for each part.
use strict;
use warnings;
use Net::SMPP;

my $listener = Net::SMPP->new_listen('127.0.0.1', port => $ARGV[0]) or die "cannot listen: $!";
my $count = 0;
while (1) {
  my $link = $listener->accept or next;
  while (my $pdu = $link->read_pdu) {
    my $cmd = $pdu->{cmd};
    my $seq = $pdu->{seq};
    if ($cmd == Net::SMPP::CMD_bind_transceiver) {
      $link->bind_transceiver_resp(seq => $seq, status => 0, system_id => 'netsmpp');
    } elsif ($cmd == Net::SMPP::CMD_submit_sm) {
      $count++;
      $link->submit_sm_resp(seq => $seq, status => 0, message_id => "part$count");
      my $text = "id:part$count sub:001 dlvrd:001 submit date:2601010000 done date:2601010000 stat:DELIVRD err:000 text:";
      $link->deliver_sm(
        source_addr => $pdu->{destination_addr}, destination_addr => $pdu->{source_addr},
        esm_class => 4, short_message => $text, async => 1);
    } elsif ($cmd == Net::SMPP::CMD_enquire_link) {
      $link->enquire_link_resp(seq => $seq);
    } elsif ($cmd == Net::SMPP::CMD_unbind) {
      $link->unbind_resp(seq => $seq);
      last;
    }
  }
  $link->close;
}
