const cdktf = require('cdktf');
cdktf.Testing.setupJest();
