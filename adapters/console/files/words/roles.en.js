// The roles that every shop has.
export default {
  accountant: 'Accountant',
  marketer: 'Marketer',
  packer: 'Packer',
  'platform-admin': 'Platform admin',
  support: 'Support',
  'tenant-admin': 'Admin',
  'tenant-editor': 'Editor',
  'tenant-viewer': 'Viewer',
};
