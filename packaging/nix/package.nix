# pkgs/by-name/te/texgeist/package.nix
{
  lib,
  fetchPypi,
  python3Packages,
}:

let
  # bibtexparser of nixpkgs is version 1; milvus-lite is not packaged there
  bibtexparser = python3Packages.bibtexparser_2;
  milvus-lite = python3Packages.buildPythonPackage rec {
    pname = "milvus_lite";
    version = "3.2.2";
    format = "wheel";
    src = fetchPypi {
      inherit pname version format;
      dist = "py3";
      python = "py3";
      sha256 = "106e2437054713afa31208cd081f1e2682253213949a5f544d983dfce1b3a16d";
    };
    pythonRemoveDeps = [ "faiss-cpu" ]; # nixpkgs names it faiss
    dependencies = with python3Packages; [ faiss grpcio numpy pyarrow ];
  };
in
python3Packages.buildPythonApplication rec {
  pname = "texgeist";
  version = "0.1.0";
  pyproject = true;

  src = fetchPypi {
    inherit pname version;
    sha256 = "SHA256";
  };

  build-system = [ python3Packages.hatchling ];

  dependencies = with python3Packages; [
    # by scripts/generate
    arxiv
    bibtexparser
    filelock
    httpx
    httpx2
    lsprotocol
    markdown-it-py
    milvus-lite
    numpy
    onnxruntime
    platformdirs
    protobuf
    pydantic
    pygls
    pylatexenc
    pymilvus
    pypdfium2
    rapidfuzz
    requests
    rich
    tokenizers
    tomlkit
    typer
  ];

  pythonImportsCheck = [ "texgeist_server" ];

  meta = {
    description = "Language server for related work and citations in LaTeX";
    homepage = "https://github.com/OWNER/texgeist";
    license = lib.licenses.mit;
    mainProgram = "texgeist";
  };
}
