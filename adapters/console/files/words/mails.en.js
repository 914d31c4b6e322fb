export default {
  down: 'The mail server cannot be reached at present. Mails wait, and are sent as soon as it can be.',
  facts: 'About this mail',
  from: 'Mails come from {from}, with the name of the shop.',
  goes: 'It is sent now',
  none: 'No mails yet',
  noneText: 'Mails to buyers about their orders, parcels and returns stand here, with what became of them.',
  now: 'Send now',
  off: 'Mails about this data do not leave the server.',
  queued: 'It is sent again',
  resend: 'Send again',
  shown: 'Mails do not leave this server. They are shown at',
  test: 'Test',
};
